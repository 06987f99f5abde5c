/** A ready set for a language or a concern. */
export interface Profile {
  readonly name: string
  readonly description: string
  readonly collections: readonly {
    readonly name: string
    readonly items: readonly string[]
    readonly description: string
  }[]
}

const language = (name: string, title: string, items: readonly string[]): Profile => ({
  name,
  description: `Rules for a ${title} project`,
  collections: [{ name, items, description: `What to know before writing ${title} here` }],
})

const concern = (name: string, description: string, items: readonly string[]): Profile => ({
  name,
  description,
  collections: [{ name: `${name}-rules`, items, description }],
})

export const profiles: readonly Profile[] = [
  language('typescript', 'TypeScript', [
    'lang/typescript',
    'guidelines/errors+naming+dependencies',
    'testing/unit-tests',
  ]),
  language('python', 'Python', [
    'lang/python',
    'guidelines/errors+naming+dependencies',
    'testing/unit-tests',
  ]),
  language('go', 'Go', ['lang/go', 'guidelines/errors+naming+dependencies', 'testing/unit-tests']),
  language('rust', 'Rust', [
    'lang/rust',
    'guidelines/errors+naming+dependencies',
    'testing/unit-tests',
  ]),
  language('react', 'React', ['framework/react', 'lang/typescript', 'testing/unit-tests']),
  concern('docs', 'Rules for writing documentation', ['docs', 'guidelines/naming']),
  concern('testing', 'Rules for tests', ['testing']),
  concern('security', 'Rules for handling secrets, input and dependencies', [
    'security',
    'guidelines/dependencies',
  ]),
  concern('review', 'Rules for reviewing and being reviewed', [
    'review',
    'workflow/commits+pull-requests',
  ]),
]

export function findProfile(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name)
}

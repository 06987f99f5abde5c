import { matchesName } from './match-name.ts'

const MOST_ALTERNATIVES = 256

/**
 * Whether a path of the project fits a glob: `*`, `?`, `**`, `[a-z]`, `{a,b}`; a leading `!` turns it round.
 * A glob without a slash is about the file's name, one with a slash about the path from the root.
 * No regular expression is made of it: a hostile glob would make one that hangs.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  if (glob.startsWith('!')) {
    const matches = globMatcher(glob.slice(1))
    return (path) => !matches(path)
  }
  const alternatives = expandBraces(glob).map(segmentsOf)
  return (path) => {
    const segments = path.split('/')
    return alternatives.some((alternative) => matchesSegments(alternative, segments))
  }
}

/** The part of a glob that is about the name alone, where it says anything: it lets ripgrep skip other files early. */
export function nameGlob(glob: string): string | undefined {
  const name = glob.slice(glob.lastIndexOf('/') + 1)
  const unusable =
    glob.startsWith('!') ||
    name === '' ||
    name.includes('**') ||
    /[{[][^}\]]*\/[^}\]]*[}\]]/.test(glob)
  return unusable ? undefined : name
}

function segmentsOf(glob: string): string[] {
  const plain = glob.replace(/^\.\//, '')
  const segments = plain.split('/').filter(Boolean)
  if (plain.endsWith('/')) segments.push('**')
  return plain.replace(/\/$/, '').includes('/') ? segments : ['**', ...segments]
}

/** Row by row over the glob's segments: `reached[n]` says whether the first n segments of the path can be used up so far. */
function matchesSegments(glob: readonly string[], path: readonly string[]): boolean {
  let reached = [true, ...path.map(() => false)]
  for (const part of glob) {
    if (part === '**') {
      const first = reached.indexOf(true)
      reached = reached.map((_, place) => first >= 0 && place >= first)
    } else
      reached = reached.map(
        (_, place) =>
          place > 0 && reached[place - 1] === true && matchesName(part, path[place - 1] ?? ''),
      )
  }
  return reached.at(-1) === true
}

function expandBraces(glob: string): string[] {
  let waiting = [glob]
  const done: string[] = []
  while (waiting.length > 0 && waiting.length + done.length <= MOST_ALTERNATIVES) {
    waiting = waiting.flatMap((candidate) => {
      const [whole, inner] = /\{([^{}]*)\}/.exec(candidate) ?? []
      if (whole === undefined || inner === undefined) {
        done.push(candidate)
        return []
      }
      return inner.split(',').map((choice) => candidate.replace(whole, () => choice))
    })
  }
  return [...done, ...waiting].slice(0, MOST_ALTERNATIVES)
}

import { nameMatcher } from './name-matcher.ts'

const MOST_ALTERNATIVES = 256

interface GlobOptions {
  readonly ignoreCase?: boolean
  /** Names that begin with a dot are matched only by parts that do. */
  readonly hideDots?: boolean
  /** A glob without a slash is about the whole path too, not about the file's name. */
  readonly anchored?: boolean
}

/** `**` as undefined, any other part as the test of one name. */
type Segment = ((name: string) => boolean) | undefined

/**
 * Whether a path fits a glob: `*`, `?`, `**`, `[a-z]`, `{a,b}`; a leading `!` turns it round.
 * A glob without a slash is about the file's name, one with a slash about the path from the root.
 * No regular expression is made of it: a hostile glob would make one that hangs.
 */
export function globMatcher(glob: string, options: GlobOptions = {}): (path: string) => boolean {
  if (glob.startsWith('!')) {
    const matches = globMatcher(glob.slice(1), options)
    return (path) => !matches(path)
  }
  const inCase = (text: string) => (options.ignoreCase ? text.toLowerCase() : text)
  const alternatives = expandBraces(inCase(glob)).map((one) => segmentsOf(one, options))
  const mayCross = (name: string) => !(options.hideDots && name.startsWith('.'))
  return (path) => {
    const names = inCase(path).split('/')
    return alternatives.some((segments) => matchesSegments(segments, names, mayCross))
  }
}

function segmentsOf(glob: string, { anchored, hideDots }: GlobOptions): Segment[] {
  const plain = glob.replace(/^\.\//, '')
  const parts = plain.split('/').filter(Boolean)
  if (plain.endsWith('/')) parts.push('**')
  const isPath = anchored || plain.replace(/\/$/, '').includes('/')
  return (isPath ? parts : ['**', ...parts]).map((part) => {
    if (part === '**') return undefined
    const matches = nameMatcher(part)
    return hideDots && !part.startsWith('.')
      ? (name) => !name.startsWith('.') && matches(name)
      : matches
  })
}

/** What comes before a `**` is compared name by name: most paths differ there already. */
function matchesSegments(
  segments: readonly Segment[],
  names: readonly string[],
  mayCross: (name: string) => boolean,
): boolean {
  const crossing = segments.indexOf(undefined)
  const fixed = crossing === -1 ? segments.length : crossing
  if (crossing === -1 ? names.length !== fixed : names.length < fixed) return false
  for (let place = 0; place < fixed; place++)
    if (!segments[place]?.(names[place] ?? '')) return false
  return crossing === -1 || matchesRest(segments.slice(fixed), names.slice(fixed), mayCross)
}

/** Row by row over the glob's segments: `reached[n]` says whether the first n names of the path can be used up so far. */
function matchesRest(
  segments: readonly Segment[],
  names: readonly string[],
  mayCross: (name: string) => boolean,
): boolean {
  let reached = [true, ...names.map(() => false)]
  for (const fits of segments) {
    const next = [fits ? false : reached[0] === true]
    for (const [place, name] of names.entries())
      next.push(
        fits
          ? reached[place] === true && fits(name)
          : reached[place + 1] === true || (next[place] === true && mayCross(name)),
      )
    reached = next
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

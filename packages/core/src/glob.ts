const MAX_ALTERNATIVES = 256

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
  while (waiting.length > 0 && waiting.length + done.length <= MAX_ALTERNATIVES) {
    waiting = waiting.flatMap((candidate) => {
      const [whole, inner] = /\{([^{}]*)\}/.exec(candidate) ?? []
      if (whole === undefined || inner === undefined) {
        done.push(candidate)
        return []
      }
      return inner.split(',').map((choice) => candidate.replace(whole, () => choice))
    })
  }
  return [...done, ...waiting].slice(0, MAX_ALTERNATIVES)
}

type Token =
  | { readonly many: true }
  | { readonly many: false; readonly fits: (sign: string) => boolean }

/** Whether a name fits `*`, `?`, `[a-z]`, `[!a-z]` and `\` before a sign that means itself. Takes at most |glob| × |name| steps. */
export function nameMatcher(glob: string): (name: string) => boolean {
  if (!/[*?[\\]/.test(glob)) return (name) => name === glob
  if (glob === '*') return () => true
  if (glob.startsWith('*') && !/[*?[\\]/.test(glob.slice(1)))
    return (name) => name.endsWith(glob.slice(1))
  const tokens = tokensOf(glob)
  return (name) => matches(tokens, name)
}

function matches(tokens: readonly Token[], name: string): boolean {
  const signs = [...name]
  let token = 0
  let sign = 0
  let star = -1
  let starSign = 0
  while (sign < signs.length) {
    const current = tokens[token]
    if (current && !current.many && current.fits(signs[sign] ?? '')) {
      token++
      sign++
    } else if (current?.many) {
      star = token++
      starSign = sign
    } else if (star >= 0) {
      // The last star takes one sign more; earlier ones never need to.
      token = star + 1
      sign = ++starSign
    } else return false
  }
  return tokens.slice(token).every(({ many }) => many)
}

function tokensOf(glob: string): Token[] {
  const tokens: Token[] = []
  const signs = [...glob]
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] ?? ''
    const close =
      sign === '[' ? signs.indexOf(']', at + (/[!^]/.test(signs[at + 1] ?? '') ? 3 : 2)) : -1
    if (sign === '*') tokens.push({ many: true })
    else if (sign === '?') tokens.push({ many: false, fits: () => true })
    else if (close > 0) {
      tokens.push({ many: false, fits: setOf(signs.slice(at + 1, close)) })
      at = close
    } else {
      const literal = sign === '\\' ? (signs[++at] ?? '\\') : sign
      tokens.push({ many: false, fits: (candidate) => candidate === literal })
    }
  }
  return tokens
}

function setOf(signs: readonly string[]): (sign: string) => boolean {
  const negated = signs[0] === '!' || signs[0] === '^'
  const members = negated ? signs.slice(1) : signs
  return (sign) => isMember(members, sign) !== negated
}

function isMember(members: readonly string[], sign: string): boolean {
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? ''
    const to = members[at + 2]
    if (members[at + 1] === '-' && to !== undefined) {
      if (sign >= from && sign <= to) return true
      at += 2
    } else if (sign === from) return true
  }
  return false
}

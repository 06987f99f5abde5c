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

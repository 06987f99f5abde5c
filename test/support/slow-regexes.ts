import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { parseSync, Visitor } from 'rolldown/utils'
import { analyse } from 'scslre'

export interface FoundRegex {
  readonly path: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

/** Every regular expression of a file: literals, and constructors that are given constants of the file. */
export function regexesIn(
  path: string,
  text: string,
): { regexes: FoundRegex[]; unknown: string[] } {
  const regexes: FoundRegex[] = []
  const unknown: string[] = []
  const constants = new Map<string, string>()
  const { program } = parseSync(path, text)
  const lineOf = (at: number) => text.slice(0, at).split('\n').length
  new Visitor({
    VariableDeclarator({ id, init }) {
      const value = init && textOf(init, constants)
      if (id.type === 'Identifier' && value !== undefined && value !== null)
        constants.set(id.name, value)
    },
  }).visit(program)
  const construct = (node: { callee: object; arguments: object[]; start: number; end: number }) => {
    if (!('name' in node.callee) || node.callee.name !== 'RegExp') return
    const [first, second] = node.arguments
    const source = first && textOf(first, constants)
    if (source === undefined) unknown.push(text.slice(node.start, node.end).replaceAll(/\s+/g, ' '))
    else
      regexes.push({
        path,
        line: lineOf(node.start),
        source,
        flags: (second && textOf(second, constants)) ?? '',
      })
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex)
        regexes.push({
          path,
          line: lineOf(node.start),
          source: node.regex.pattern,
          flags: node.regex.flags,
        })
    },
    NewExpression: construct,
    CallExpression: construct,
  }).visit(program)
  return { regexes, unknown }
}

/** The text of a constant expression; a variable that nobody knows stands for a short name. */
function textOf(node: object, constants: ReadonlyMap<string, string>): string | undefined {
  if (!('type' in node)) return undefined
  if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
    return node.value
  if (node.type === 'Identifier' && 'name' in node) return constants.get(String(node.name))
  if (node.type === 'TemplateLiteral' && 'quasis' in node && 'expressions' in node) {
    const quasis = node.quasis as { value: { cooked: string } }[]
    const expressions = node.expressions as object[]
    return quasis
      .map(({ value }, index) => {
        const expression = expressions[index]
        return value.cooked + (expression ? (textOf(expression, constants) ?? 'name') : '')
      })
      .join('')
  }
  return undefined
}

/** What the static analysis says; undefined where it finds nothing. */
export function analyseRegex({ source, flags }: FoundRegex): string | undefined {
  const { reports } = analyse({ source, flags }, { maxReports: 1 })
  const [report] = reports
  return report && `${report.type}${report.exponential ? ', exponential' : ''}`
}

const PALETTE = [...' a1A-._/"\'`*#=<>:@,;!?+$&|()[]{}\\~%^_\n\té']

/**
 * Patterns that begin anew inside of themselves: what stands before an endless part is also what that part takes, and something
 * has to follow. A text of nothing but beginnings is then read to its end from each of them.
 */
export function findRestart({ source, flags }: FoundRegex): string | undefined {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: /[uv]/.test(flags),
  })
  let found: string | undefined
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (node.max !== Number.POSITIVE_INFINITY || !isSet(node.element)) return
      const { text, isAnchored } = before(node, flags)
      if (isAnchored || !hasToFollow(node)) return
      const set = new RegExp(`^(?:${node.element.raw})$`, `s${flags.replace(/[gymsd]/g, '')}`)
      if (text === '') {
        // A run of words and signs between them begins anew at the edge of each word.
        const sign = PALETTE.find((one) => !/\w/.test(one) && set.test(one))
        if (sign === undefined || !set.test('a') || !isAfterWordEdge(node)) return
        if (!new RegExp(source, flags).test(`a${sign}`.repeat(20))) found ??= `\\b${node.raw}`
        return
      }
      // A text of nothing but beginnings that has a match is read on behind it.
      const isMatch = new RegExp(source, flags).test(`${text.repeat(20)}`)
      if (!isMatch && [...text].every((sign) => set.test(sign))) found ??= `${text}${node.raw}`
    },
  })
  return found
}

/** Whether a `\b` stands right before it, and not behind something that a text needs. */
function isAfterWordEdge(node: AST.Node): boolean {
  const { parent } = node
  if (!parent || parent.type === 'Pattern') return false
  if (parent.type !== 'Alternative') return isAfterWordEdge(parent)
  const index = parent.elements.findIndex(({ start }) => start === node.start)
  const before = parent.elements.slice(0, index)
  return (
    before.some((element) => element.type === 'Assertion' && element.kind === 'word') ||
    isAfterWordEdge(parent)
  )
}

function isSet(node: AST.QuantifiableElement): boolean {
  return node.type === 'CharacterClass' || node.type === 'CharacterSet'
}

/** What a text needs before the node is reached, and whether that can only be in one place. */
function before(node: AST.Node, flags: string): { text: string; isAnchored: boolean } {
  const { parent } = node
  if (!parent || parent.type === 'Pattern') return { text: '', isAnchored: flags.includes('y') }
  const above = before(parent, flags)
  if (parent.type !== 'Alternative') return above
  const index = parent.elements.findIndex(({ start }) => start === node.start)
  const elements = parent.elements.slice(0, index)
  // A look behind lets a run begin once only; a line has one beginning.
  const isAnchored = elements.some(
    (element) =>
      element.type === 'Assertion' && (element.kind === 'start' || element.kind === 'lookbehind'),
  )
  return {
    text: above.text + elements.map(textOfNode).join(''),
    isAnchored: above.isAnchored || isAnchored,
  }
}

function hasToFollow(node: AST.Node): boolean {
  const { parent } = node
  if (!parent || parent.type === 'Pattern') return false
  if (parent.type !== 'Alternative') return hasToFollow(parent)
  const index = parent.elements.findIndex(({ start }) => start === node.start)
  const rest = parent.elements.slice(index + 1)
  return rest.some(isNeeded) || hasToFollow(parent)
}

function isNeeded(node: AST.Element): boolean {
  if (node.type === 'Quantifier') return node.min > 0
  return node.type !== 'Assertion' || node.kind === 'end' || node.kind === 'lookahead'
}

/** Some texts that a node matches, the shortest of their kind. */
function textsOf(node: AST.QuantifiableElement): string[] {
  if (node.type === 'CharacterClass' || node.type === 'CharacterSet') {
    const set = new RegExp(`^(?:${node.raw})$`, 'u')
    try {
      return PALETTE.filter((sign) => set.test(sign)).slice(0, 3)
    } catch {
      return ['a']
    }
  }
  return [textOfNode(node)]
}

function textOfNode(node: AST.Element): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value)
    case 'CharacterClass':
    case 'CharacterSet':
      return textsOf(node)[0] ?? 'a'
    case 'Group':
    case 'CapturingGroup':
      return textOfAlternative(node.alternatives[0])
    case 'Quantifier':
      return textOfNode(node.element).repeat(Math.min(Math.max(node.min, node.max > 0 ? 1 : 0), 40))
    default:
      return ''
  }
}

function textOfAlternative(alternative: AST.Alternative | undefined): string {
  return (alternative?.elements ?? []).map(textOfNode).join('')
}

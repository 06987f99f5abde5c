/** A definition found in a file, whoever found it. Lines count from 0 here, as parsers count; both ends belong to it. */
export interface Definition {
  readonly name: string
  readonly kind: DefinitionKind
  readonly startLine: number
  readonly endLine: number
  /** Only what lies directly inside: a class holds its methods, a long function its inner ones. */
  readonly children: readonly Definition[]
}

/** A `scope` lends its name to its children but is not itself what a reader looks for. */
export type DefinitionKind = 'function' | 'type' | 'value' | 'scope'

const MODIFIERS =
  '(?:(?:(?:pub|private|protected|internal|fileprivate|open|package)(?:\\([a-z]+\\)|\\[\\w+\\])?|public|final|abstract|sealed|static|inline|override|suspend|export|default|extern|implicit|lazy|virtual|async|data|case|local|mutating|external|unsafe|tailrec|operator|infix|indirect|comptime|convenience|required|weak|unowned|nonisolated|dynamic|isolated|value|inner|annotation|expect|actual|vararg|noinline|crossinline|lateinit|reified|opaque|transparent|mutable|@\\w+(?:\\([^)]*\\))?)\\s+)*'
const TYPE_WORDS =
  'class|struct|interface|trait|object|enum class|enum|protocol|extension|actor|record|module|namespace|contract|library|newtype|instance|mixin|union|companion object|fun interface|typealias|typedef|associatedtype|type|data|abstract type|primitive type'
const FUNCTION_WORDS =
  'func|fun|fn|def|function!?|sub|proc|procedure|method|macro|let rec|subroutine|task'
const VALUE_WORDS = 'const val|val|var|let|const|define|given'
const NAME = "([\\p{L}_$][\\p{L}\\p{N}_$.:?!'<>-]*)"
const WORD = '[\\p{L}_][\\p{L}\\p{N}_]*'
/** Declarations of data and queries, where the common keywords mean something else. */
const NOTHING_IN_COMMON = new Set(
  'sql protobuf graphql terraform clojure lisp erlang make makefile assembly ocaml f-sharp'.split(
    ' ',
  ),
)
/** Where the pattern of a call or a clause could take a keyword for a name. */
const KEYWORDS = new Set(
  'if else elif for foreach while switch return do in of is case then with when end match try catch throw await yield new assert print function'.split(
    ' ',
  ),
)

/** Deeper than this, a `val` or a `let` is a local. */
const LOCAL_INDENT = 5
const MAX_LINE = 400

/** The definitions of a language without a grammar, read off the lines: a keyword, a name, and the indentation for nesting. */
export function textOutline(lines: readonly string[], language?: string): Definition[] {
  const patterns = linePatterns(language)
  const found: Open[] = []
  lines.forEach((line, at) => {
    const definition = definitionOn(line, patterns)
    // The clauses of one function follow each other: `reply(Status) -> …; reply(_) -> …`.
    if (!definition || isNextClause(found.at(-1), definition, lines, at)) return
    found.push({ ...definition, startLine: at, endLine: endOf(lines, at, definition.indent) })
  })
  return nested(found)
}

interface Open {
  readonly name: string
  readonly kind: DefinitionKind
  readonly indent: number
  readonly startLine: number
  readonly endLine: number
}

function definitionOn(
  line: string,
  patterns: readonly LinePattern[],
): Pick<Open, 'name' | 'kind' | 'indent'> | undefined {
  if (line.length > MAX_LINE) return undefined
  for (const [pattern, kind] of patterns) {
    const match = pattern.exec(line)
    const name = match?.[2]?.replace(/(?<![<:.-])[<:.-]+$/, '').split('<', 1)[0]
    if (!name || !isName(name, pattern)) continue
    const indent = width(match?.[1] ?? '')
    // `struct queue q;` declares a variable, not a type.
    if (kind === 'type' && indent > 0 && /;\s*$/.test(line)) return undefined
    if (kind === 'value' && indent >= LOCAL_INDENT) return undefined
    return { name, kind, indent }
  }
  return undefined
}

function isNextClause(
  before: Open | undefined,
  { name, kind, indent }: Pick<Open, 'name' | 'kind' | 'indent'>,
  lines: readonly string[],
  at: number,
): boolean {
  return (
    before !== undefined &&
    before.name === name &&
    before.kind === kind &&
    before.indent === indent &&
    /;\s*$/.test(lines[at - 1] ?? '')
  )
}

/** Up to the last line that is indented deeper, with the closing line where there is one. */
function endOf(lines: readonly string[], start: number, indent: number): number {
  let end = start
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    if (width(line) > indent) end = at
    else if (/^\s*([})\]]|end\b)/.test(line)) return at
    else if (/^\s*[{(]\s*$/.test(line)) end = at
    else break
  }
  return end
}

function width(line: string): number {
  let columns = 0
  for (const letter of line) {
    if (letter === ' ') columns++
    else if (letter === '\t') columns += 4
    else break
  }
  return columns
}

function nested(found: readonly Open[]): Definition[] {
  const top: (Definition & { children: Definition[] })[] = []
  const open: (Definition & { children: Definition[] })[] = []
  for (const { name, kind, startLine, endLine } of found) {
    while (open.length > 0 && (open.at(-1)?.endLine ?? 0) < startLine) open.pop()
    const parent = open.at(-1)
    // A local value inside a function is not worth finding by name.
    if (parent?.kind === 'function' && kind === 'value') continue
    const definition = { name, kind, startLine, endLine, children: [] }
    ;(parent?.children ?? top).push(definition)
    open.push(definition)
  }
  return top
}

/** A line that defines something: group 1 is its indentation, group 2 the name. */
type LinePattern = readonly [RegExp, DefinitionKind]

const line = (text: string, kind: DefinitionKind): LinePattern => [new RegExp(text, 'u'), kind]

/** A return type, a name and an opening bracket at the left edge. */
const C_LIKE = line(
  `^()(?!(?:return|throw|await|yield|new|delete|goto|case)\\b)(?:[\\p{L}_][\\p{L}\\p{N}_<>,*&:[\\]]*\\s+)+\\**([\\p{L}_][\\p{L}\\p{N}_:]*)\\s*\\([^;]*$`,
  'function',
)

/** What most languages have in common: a keyword, then a name. */
const COMMON: readonly LinePattern[] = [
  line(`^(\\s*)${MODIFIERS}(?:${TYPE_WORDS})\\s+${NAME}`, 'type'),
  line(
    `^(\\s*)${MODIFIERS}(?:${FUNCTION_WORDS})\\s+(?:\\([^)]*\\)\\s*)?(?:<[^>]*>\\s*)?${NAME}`,
    'function',
  ),
  // Lua and scripts: `M.name = function(`.
  line(`^(\\s*)(?:local\\s+)?([\\p{L}_][\\p{L}\\p{N}_.:]*)\\s*=\\s*function\\b`, 'function'),
  C_LIKE,
  line(`^(\\s*)${MODIFIERS}(?:${VALUE_WORDS})\\s+(?:mut\\s+)?${NAME}`, 'value'),
]

const LISP: readonly LinePattern[] = [
  line(
    '^(\\s*)\\((?:ns|defprotocol|defrecord|deftype|definterface|defclass|defstruct|struct|module)\\s+\\(?([^\\s()[\\]]+)',
    'type',
  ),
  line(
    '^(\\s*)\\((?:defn-?|defun|defmacro-?|defmulti|defmethod|defgeneric|defsubst|define-(?:syntax|macro|syntax-rule)|define(?=\\s*\\())\\s+\\(?(?:\\^\\S+\\s+)?([^\\s()[\\]]+)',
    'function',
  ),
  line(
    '^(\\s*)\\((?:def|defonce|defvar|defparameter|defconst|defcustom|define|s/def)\\s+(?:\\^\\S+\\s+)?([^\\s()[\\]]+)',
    'value',
  ),
]

/** `name :: Type` at the left edge. */
const SIGNATURE = line("^()([a-z_][\\p{L}\\p{N}_']*)\\s*::?\\s+[\\p{L}([]", 'function')

/** What a language has of its own; looked at before the common ones. */
const OWN: Readonly<Record<string, readonly LinePattern[]>> = {
  kotlin: [
    line(`^(\\s*)${MODIFIERS}fun\\s+interface\\s+(${WORD})`, 'type'),
    line(
      `^(\\s*)${MODIFIERS}fun\\s+(?:<[^>]*(?:<[^>]*>[^>]*)*>\\s*)?(?:[\\p{L}_][\\p{L}\\p{N}_.<>?,* ]*\\.)?(${WORD}|\`[^\`]+\`)\\s*[(<]`,
      'function',
    ),
    line(
      `^(\\s*)${MODIFIERS}(?:const\\s+)?va[lr]\\s+(?:<[^>]*>\\s*)?(?:[\\p{L}_][\\p{L}\\p{N}_.<>?,* ]*\\.)?(${WORD})`,
      'value',
    ),
  ],
  scala: [
    line(`^(\\s*)extension\\s*(?:\\[[^\\]]*\\]\\s*)?\\([^)]*\\)\\s*def\\s+(${WORD})`, 'function'),
  ],
  elixir: [
    line(`^(\\s*)(?:defmodule|defprotocol|defimpl)\\s+${NAME}`, 'type'),
    line(
      `^(\\s*)(?:defp?|defmacrop?|defguardp?|defdelegate|defn-?p?|@callback)\\s+(${WORD}[?!]?)`,
      'function',
    ),
  ],
  erlang: [
    line('^()-(?:module|record)\\(\\s*([\\w@]+)', 'type'),
    line('^()-(?:type|opaque|callback)\\s+([\\w@]+)\\(', 'value'),
    line("^()([a-z][\\w@]*|'[^']+')\\([^%]*(?:->|\\bwhen\\b)", 'function'),
  ],
  haskell: [SIGNATURE],
  elm: [SIGNATURE],
  dart: [
    line(
      `^(\\s+)(?:(?:static|external|final|const|late|covariant)\\s+)*(?:[\\p{L}_][\\p{L}\\p{N}_<>?,.[\\] ]*\\s+)?(?:get|set)\\s+(${WORD})`,
      'function',
    ),
    line(
      `^(\\s+)(?:(?:static|external|factory|const)\\s+)*(?:[\\p{L}_][\\p{L}\\p{N}_<>?,.[\\]]*\\s+)?([\\p{L}_][\\p{L}\\p{N}_.]*)(?:<[^>]*>)?\\([^;]*(?:[{,(]|=>.*|async\\*?)\\s*$`,
      'function',
    ),
  ],
  ocaml: [
    line(`^(\\s*)module\\s+(?:type\\s+|rec\\s+)?(${WORD})`, 'type'),
    line(
      `^(\\s*)(?:exception|class(?:\\s+type)?|type)\\s+(?:nonrec\\s+)?(?:(?:'\\w+|\\([^)]*\\))\\s+)?(${WORD})`,
      'type',
    ),
    line(
      "^(\\s*)(?:let|and)(?:%\\w+)?\\s+(?:rec\\s+|inline\\s+)?([a-z_][\\p{L}\\p{N}_']*)\\s+(?=[\\p{L}_(~?'[{])",
      'function',
    ),
    line("^(\\s*)(?:val|external|let|method)\\s+([a-z_][\\p{L}\\p{N}_']*)", 'value'),
  ],
  'f-sharp': [
    line(
      `^(\\s*)(?:module|type|and)\\s+(?:(?:private|internal|public|rec)\\s+)*([\\p{L}_][\\p{L}\\p{N}_.]*)`,
      'type',
    ),
    line(
      `^(\\s*)(?:(?:static|abstract|override|default)\\s+)*(?:member|abstract|override|default)\\s+(?:(?:val|inline|private|internal)\\s+)*(?:\\w+\\.)?(${WORD})`,
      'function',
    ),
    line(
      `^(\\s*)let\\s+(?:(?:rec|inline|private|internal|mutable)\\s+)*(?!inline\\b)(${WORD})`,
      'function',
    ),
  ],
  clojure: LISP,
  lisp: LISP,
  julia: [
    line(`^(\\s*)${MODIFIERS}(?:struct|abstract type|primitive type)\\s+(${WORD})`, 'type'),
    line(
      `^(\\s*)([\\p{L}_][\\p{L}\\p{N}_.!]*)\\([^=]*\\)(?:\\s*(?:where|::)[^=]*)?\\s*=(?!=)`,
      'function',
    ),
  ],
  perl: [line(`^(\\s*)package\\s+([\\w:]+)`, 'type')],
  ada: [line(`^(\\s*)package\\s+(?:body\\s+)?([\\w.]+)`, 'type')],
  'objective-c': [
    line(`^()@(?:interface|implementation|protocol)\\s+(${WORD})`, 'type'),
    line(`^()[-+]\\s*\\([^)]*(?:\\([^)]*\\)[^)]*)*\\)\\s*(${WORD})`, 'function'),
  ],
  r: [
    line(
      '^(\\s*)([\\p{L}.][\\p{L}\\p{N}_.]*)\\s*(?:<<?-|=)\\s*(?:function\\b|\\\\\\()',
      'function',
    ),
    line(
      '^(\\s*)([\\p{L}.][\\p{L}\\p{N}_.]*)\\s*(?:<-|=)\\s*(?:R6::)?(?:R6Class|setRefClass|new_class)\\(',
      'type',
    ),
    line('^()set(?:Class|Generic|Method|Validity)\\(\\s*["\']([^"\']+)', 'function'),
  ],
  nim: [
    line(
      `^(\\s*)(${WORD})\\*?\\s*(?:\\[[^\\]]*\\])?\\s*(?:\\{\\.[^}]*\\}\\s*)?=\\s*(?:ref\\s+|ptr\\s+)?(?:object|enum|distinct|tuple|concept)\\b`,
      'type',
    ),
    line(`^(\\s*)(?:proc|func|method|template|macro|iterator|converter)\\s+(${WORD})`, 'function'),
  ],
  // `pub const Parser = struct {`.
  zig: [
    line(
      `^(\\s*)(?:pub\\s+)?const\\s+(${WORD})\\s*=\\s*(?:packed\\s+|extern\\s+)?(?:struct|enum|union|opaque|error)\\b`,
      'type',
    ),
  ],
  protobuf: [
    line(`^(\\s*)(?:message|service|enum|oneof)\\s+(${WORD})`, 'type'),
    line(`^(\\s*)rpc\\s+(${WORD})`, 'function'),
  ],
  graphql: [
    line(
      `^(\\s*)(?:extend\\s+)?(?:type|input|interface|enum|union|scalar|directive|fragment|query|mutation|subscription)\\s+@?(${WORD})`,
      'type',
    ),
  ],
  solidity: [line(`^(\\s*)(?:modifier|event|error)\\s+(${WORD})`, 'function')],
  terraform: [
    line('^()(?:resource|data)\\s+"[^"]+"\\s+"([^"]+)"', 'type'),
    line('^()(?:module|variable|output|provider)\\s+"([^"]+)"', 'type'),
  ],
  sql: [
    [
      /^(\s*)create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)*(?:table|view|function|procedure|trigger|type|index|schema|domain)\s+(?:if\s+not\s+exists\s+)?["`[]?([\w.]+)/iu,
      'type',
    ],
  ],
  fortran: [line(`^(\\s*)(?:module|program|type(?:\\s*,[^:]*)?\\s*::|type)\\s+(${WORD})`, 'type')],
  make: [line('^()([\\w./%-]+)\\s*:(?!=)', 'function')],
  makefile: [line('^()([\\w./%-]+)\\s*:(?!=)', 'function')],
  assembly: [line('^()([\\p{L}_.][\\p{L}\\p{N}_.$]*):', 'function')],
}

function linePatterns(language: string | undefined): readonly LinePattern[] {
  const own = (language && OWN[language]) || []
  return language && NOTHING_IN_COMMON.has(language) ? own : [...own, ...COMMON]
}

/** Behind a keyword that announces it anything may be a name: `def match`, `fn new`. */
function isName(name: string, pattern: RegExp): boolean {
  return (
    !KEYWORDS.has(name) || !(pattern === C_LIKE[0] || OWN.dart?.some(([own]) => own === pattern))
  )
}

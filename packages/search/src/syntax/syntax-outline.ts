import type { Node } from 'web-tree-sitter'
import type { Language } from './languages.ts'
import type { Definition, DefinitionKind } from './outline.ts'

type Role = DefinitionKind | 'wrapper'

/** Functions longer than this may hold inner ones worth finding; looking into every short one would cost more than it gives. */
const LONG_FUNCTION_LINES = 40
const DEEPEST = 24

const rolesByLanguage = new Map<string, ReadonlyMap<string, Role>>()

/** The definitions of a syntax tree, nested. Only bodies that can hold definitions are entered. */
export function syntaxOutline(root: Node, language: Language): Definition[] {
  return definitionsIn(root, rolesOf(language), 0, false)
}

/** Stretches that the grammar gave up on, as pairs of first and last line: a brace opened in two branches of an `#if` is enough. */
export function unparsedLines(root: Node): (readonly [number, number])[] {
  if (!root.hasError) return []
  return root.namedChildren
    .filter((node) => node.type === 'ERROR')
    .map((node) => [node.startPosition.row, endRow(node)] as const)
}

function definitionsIn(
  parent: Node,
  roles: ReadonlyMap<string, Role>,
  depth: number,
  inFunction: boolean,
): Definition[] {
  const found: Definition[] = []
  if (depth > DEEPEST) return found
  for (const node of parent.namedChildren) {
    const role = roles.get(node.type)
    if (!role) continue
    if (role === 'wrapper') found.push(...definitionsIn(node, roles, depth + 1, inFunction))
    else found.push(...definitionAt(node, role, roles, depth, inFunction))
  }
  return found
}

function definitionAt(
  node: Node,
  role: DefinitionKind,
  roles: ReadonlyMap<string, Role>,
  depth: number,
  inFunction: boolean,
): Definition[] {
  const kind = role === 'value' ? valueKind(node) : role
  const name = nameOf(node)
  const startLine = node.startPosition.row
  const endLine = endRow(node)
  const body =
    role === 'value'
      ? (node.childForFieldName('value') ?? node.childForFieldName('right') ?? node)
      : node
  if (inFunction && kind === 'value') return []
  const enters =
    kind === 'type' ||
    kind === 'scope' ||
    (kind === 'function' && endLine - startLine > LONG_FUNCTION_LINES)
  const children = enters ? definitionsIn(body, roles, depth + 1, kind === 'function') : []
  return name ? [{ name, kind, startLine, endLine, children }] : children
}

/** A node that ends at column 0 ended with the line before. */
function endRow(node: Node): number {
  const { row, column } = node.endPosition
  return column === 0 && row > node.startPosition.row ? row - 1 : row
}

function valueKind(node: Node): DefinitionKind {
  const value = node.childForFieldName('value') ?? node.childForFieldName('right')
  if (!value) return 'value'
  if (/^(arrow_function|function_expression|function|generator_function|lambda)$/.test(value.type))
    return 'function'
  return value.type === 'class' ? 'type' : 'value'
}

const PLAIN_NAME = /^[\p{L}_$@.:~][\p{L}\p{N}_$@.:?!=~]*$/u

function nameOf(node: Node): string | undefined {
  const named =
    node.childForFieldName('name') ??
    node.childForFieldName('left') ??
    declared(node) ??
    implemented(node) ??
    powershellName(node)
  const name = named?.text
  if (!name || name.length > 120 || !PLAIN_NAME.test(name)) return undefined
  const receiver = node
    .childForFieldName('receiver')
    ?.text.match(/(?<![\p{L}\p{N}_])([\p{L}\p{N}_]{1,120})(\[[^\]]{0,200}\])?\s{0,20}\)$/u)?.[1]
  const plain = name.replaceAll('::', '.').replace(/^(module\.)?exports\./, '')
  return receiver ? `${receiver}.${plain}` : plain
}

/** C and C++ wrap the name in declarators: pointer, function, array. */
function declared(node: Node): Node | null {
  let declarator = node.childForFieldName('declarator')
  for (let next = declarator; next; next = declarator?.childForFieldName('declarator') ?? null)
    declarator = next
  return declarator
}

function implemented(node: Node): Node | null {
  const type = node.childForFieldName('type')
  return type?.childForFieldName('type') ?? type
}

function powershellName(node: Node): Node | null {
  return (
    node.namedChildren.find(
      (child) => child.type === 'function_name' || child.type === 'simple_name',
    ) ?? null
  )
}

function rolesOf(language: Language): ReadonlyMap<string, Role> {
  const known = rolesByLanguage.get(language.name)
  if (known) return known
  const roles = new Map<string, Role>()
  const add = (types: readonly string[] | undefined, role: Role) => {
    for (const type of types ?? []) roles.set(type, role)
  }
  add(language.wrappers, 'wrapper')
  add(language.functions, 'function')
  add(language.types, 'type')
  add(language.values, 'value')
  add(language.scopes, 'scope')
  rolesByLanguage.set(language.name, roles)
  return roles
}

import { Failure, type FailureKind } from '@secretary-mcp/core/failure.ts'

const MAX_NAME = 30
const NAME = /^[\p{L}\p{N}_-]{1,30}$/u
const FLAG = /^[\w-]{1,100}$/

/** Keeps an agent from trying variants until one is taken. */
export const ASK = 'Show this error to the person and ask; do not try other values.'

export function requireName(name: string, what: 'category' | 'collection' | 'profile'): string {
  if (NAME.test(name) && !name.startsWith('_')) return name
  throw new Failure(
    'invalid_name',
    `A ${what} name has 1 to ${MAX_NAME} letters, digits, - or _: ${quoted(name)}`,
    {
      instruction: ASK,
    },
  )
}

export function isName(name: string): boolean {
  return NAME.test(name) && !name.startsWith('_')
}

export function requireFlagName(name: string): string {
  if (FLAG.test(name)) return name
  throw new Failure(
    'invalid_name',
    `A flag name has 1 to 100 letters, digits, - or _: ${quoted(name)}`,
    { instruction: ASK },
  )
}

export function requireDescription(description: string): string {
  if (description.length <= 500 && !description.includes('\0')) return description
  throw new Failure('validation_error', 'A description has at most 500 characters', {
    instruction: ASK,
  })
}

/** A caller's own words, short enough to repeat and unable to break a line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

const MAX_PATH = 200
const MAX_PART = 100
const DOCUMENT_EXTENSION = /\.(md|markdown|txt|mustache)$/i

/** A folder of the docroot, `.` for all of it; never a way out. */
export function requireFolder(dir: string): string {
  const parts = safeParts(dir, 'invalid_dir', 'folder')
  return parts.length === 0 ? '.' : parts.join('/')
}

/** A document's place in the docroot; `.md` where no extension is given. */
export function requireDocumentPath(path: string): string {
  const parts = safeParts(path, 'invalid_name', 'document path')
  if (parts.length === 0)
    throw refuse('invalid_name', `A document needs a path such as lang/python.md: ${quoted(path)}`)
  const joined = parts.join('/')
  return DOCUMENT_EXTENSION.test(joined) ? joined : `${joined}.md`
}

/** The address under which a document is announced and can be read, whichever category holds it. */
export function documentUri(path: string): string {
  return `guide://${path.split('/').map(encodeURIComponent).join('/')}`
}

/** A part that begins with an underscore is for including, not for answers. */
export function isLeftOut(path: string): boolean {
  return path.startsWith('_') || path.includes('/_')
}

export function isDocumentName(name: string): boolean {
  return DOCUMENT_EXTENSION.test(name)
}

function safeParts(path: string, errorType: FailureKind, what: string): string[] {
  if (path.length > MAX_PATH)
    throw refuse(errorType, `A ${what} has at most ${MAX_PATH} characters: ${quoted(path)}`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is refused
  if (/[\u0000-\u001f\\<>:"|?*]/.test(path))
    throw refuse(errorType, `A ${what} has no special characters: ${quoted(path)}`)
  if (path.startsWith('/') || path.startsWith('~'))
    throw refuse('absolute_path', `A ${what} is relative to the docroot: ${quoted(path)}`)
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..'))
    throw refuse('traversal_attempt', `A ${what} stays below the docroot: ${quoted(path)}`)
  const odd = parts.find(
    (part) => part.startsWith('.') || part.length > MAX_PART || /[. ]$/.test(part),
  )
  if (odd !== undefined)
    throw refuse(errorType, `This part of the ${what} cannot be used: ${quoted(odd)}`)
  return parts
}

function refuse(errorType: FailureKind, message: string): Failure {
  return new Failure(errorType, message, { instruction: ASK })
}

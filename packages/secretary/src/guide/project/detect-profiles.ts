import { readdirSync } from 'node:fs'
import { withFileInside } from '@secretary-mcp/core/files/read-inside.ts'
import { realPath } from '../documents/real-path.ts'

const MOST_ENTRIES = 500
const LARGEST_MANIFEST = 256 * 1024

const BY_FILE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'tsconfig.json': 'typescript',
    'package.json': 'typescript',
    'deno.json': 'typescript',
    'pyproject.toml': 'python',
    'requirements.txt': 'python',
    'setup.py': 'python',
    Pipfile: 'python',
    'go.mod': 'go',
    'Cargo.toml': 'rust',
    'mkdocs.yml': 'docs',
    'docusaurus.config.js': 'docs',
    'docusaurus.config.ts': 'docs',
  }),
)

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ts: 'typescript',
    tsx: 'typescript',
    mts: 'typescript',
    js: 'typescript',
    mjs: 'typescript',
    py: 'python',
    go: 'go',
    rs: 'rust',
  }),
)

/** The profiles that fit what lies in the project's root: marker files first, extensions where there are none. */
export function detectProfiles(root: string): string[] {
  const names = entriesOf(root)
  const byFile = names.flatMap((name) => BY_FILE.get(name) ?? [])
  const byExtension = names.flatMap((name) => BY_EXTENSION.get(name.split('.').at(-1) ?? '') ?? [])
  const found = new Set(byFile.length > 0 ? byFile : byExtension)
  if (names.includes('package.json') && usesReact(root)) found.add('react')
  return [...found].sort()
}

function entriesOf(root: string): string[] {
  try {
    return readdirSync(root).slice(0, MOST_ENTRIES)
  } catch {
    return []
  }
}

/** A look at the text is enough for an offer, and cannot fail on a broken manifest. */
function usesReact(root: string): boolean {
  const head = withFileInside(realPath(root) ?? root, 'package.json', ({ bytes }) =>
    bytes(0, LARGEST_MANIFEST).toString('utf8'),
  )
  return /"(react|preact|next)"\s{0,9}:/.test(head ?? '')
}

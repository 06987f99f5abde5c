import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { languageOf } from '../syntax/languages.ts'

const LEFT_OUT_FOLDERS = new Set(
  'node_modules .git dist build .next .context .hg .svn .venv venv __pycache__ .tox .mypy_cache .pytest_cache .ruff_cache .turbo .cache .gradle .idea coverage'.split(
    ' ',
  ),
)
const LOCK_FILES = new Set(
  'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml composer.lock Cargo.lock poetry.lock uv.lock go.sum packages.lock.json'.split(
    ' ',
  ),
)
const GENERATED_NAME =
  /\.min\.[a-z]+$|\.bundle\.[a-z]+$|[._]pb2?(_grpc)?\.\w+$|\.pb\.\w+$|\.(generated|g|designer)\.\w+$/i

/** What of a project is indexed, by path alone: .gitignore files, nested ones too, the house's exclusions, and names we can read. */
export interface ProjectFilter {
  /** To be called for a folder before its entries are asked about. */
  enter(folder: string): Promise<void>
  keepsFolder(path: string): boolean
  keepsFile(path: string): boolean
}

export function createProjectFilter(root: string): ProjectFilter {
  const rules = new Map<string, Ignore | undefined>()

  return {
    async enter(folder) {
      const lines = await readFile(join(root, folder, '.gitignore'), 'utf8').catch(() => undefined)
      rules.set(folder, lines === undefined ? undefined : ignore().add(lines))
    },
    keepsFolder: (path) =>
      !path.split('/').some((name) => LEFT_OUT_FOLDERS.has(name)) && !ignored(`${path}/`),
    keepsFile: (path) =>
      isReadableName(path) &&
      !path
        .split('/')
        .slice(0, -1)
        .some((name) => LEFT_OUT_FOLDERS.has(name)) &&
      !ignored(path),
  }

  /** From the root down: the deepest .gitignore that speaks of the path decides. */
  function ignored(path: string): boolean {
    let verdict = false
    for (const folder of foldersAbove(path)) {
      const rule = rules.get(folder)
      if (!rule) continue
      const { ignored: yes, unignored: no } = rule.test(
        folder ? path.slice(folder.length + 1) : path,
      )
      if (yes) verdict = true
      else if (no) verdict = false
    }
    return verdict
  }
}

function isReadableName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  // `.env` and its kin hold secrets, whatever they end in.
  if (name === '.env' || name.startsWith('.env.')) return false
  return languageOf(path) !== undefined && !LOCK_FILES.has(name) && !GENERATED_NAME.test(name)
}

function foldersAbove(path: string): string[] {
  const parts = path.replace(/\/$/, '').split('/')
  return parts.map((_, depth) => parts.slice(0, depth).join('/'))
}

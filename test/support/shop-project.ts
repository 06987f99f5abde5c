import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** A result of context_search. */
export interface Found {
  id: string
  type: string
  content: string
  module: string | null
  session: string | null
  date: string
  score: number
  source: string
  file?: string
  line?: number
  endLine?: number
  symbol?: string
  needs_recheck?: true
  changedFiles?: string[]
  factors?: Record<string, number>
}

export function makeProject(files: Readonly<Record<string, string>>): string {
  const root = join(temporaryFolder(), 'project')
  mkdirSync(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** A small shop. */
export const FILES = {
  'package.json':
    '{"name":"shop","description":"Sells things","bin":"cli.js","dependencies":{"express":"5","react":"19"}}',
  'package-lock.json': '{}',
  'src/auth/token.ts':
    '/** Refreshes an access token before it expires. */\nexport function refreshToken(old: string): string {\n  return old\n}\n',
  'src/auth/session.ts': 'export class SessionStore {\n  close(): void {}\n}\n',
  'src/cart/price.ts':
    '/** Adds tax to the net price. */\nexport function grossPrice(net: number): number {\n  return net * 1.2\n}\n',
  '.env': 'REFRESH_TOKEN=hush',
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Makes a folder a clone of one published repository, with these files in it. */
export function publishedClone(folder: string, files: Readonly<Record<string, string>>): void {
  const all = {
    ...files,
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': '[remote "origin"]\n\turl = git@example.com:team/zeppelin.git\n',
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

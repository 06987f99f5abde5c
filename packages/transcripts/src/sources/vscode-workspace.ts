import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderOfUri, projectPath } from '../project-path.ts'
import { documentBytes } from '../reading/document.ts'

/** The first folder of a `.code-workspace` file. It may hold comments, so it is searched, not parsed. */
export async function workspaceFolder(uri: string): Promise<string | undefined> {
  const file = folderOfUri(uri)
  if (!uri.startsWith('file:')) return file && dirname(file)
  const path = fileURLToPath(uri)
  const text = await documentBytes(path).then(String, () => '')
  const first = /"path"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  try {
    return projectPath(resolve(dirname(path), first ? String(JSON.parse(first)) : '.'))
  } catch {
    return projectPath(dirname(path))
  }
}

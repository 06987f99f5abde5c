import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { vscode } from '../install-vscode.mjs'
import { CodeServer } from './code-server.ts'

/** What the tests know of the VS Code that was started for all of them. */
export interface Running {
  readonly url?: string
  readonly work: string
  readonly chromium: string
  /** Why it did not come up. Each test says so, since the report holds nothing but tests. */
  readonly failure?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    vscode: Running
  }
}

export default async function startVscode({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = new CodeServer(vscode)
  provide('vscode', await running(server))
  return () => server.stop()
}

export async function running(server: CodeServer): Promise<Running> {
  const about = { work: server.work, chromium: vscode.chromium }
  try {
    return { ...about, url: await server.start(packaged()) }
  } catch (error) {
    return { ...about, failure: (error as Error).message }
  }
}

function packaged(): string {
  const out = fileURLToPath(new URL('../../out/', import.meta.url))
  const vsix = readdirSync(out).find((name) => name.endsWith('.vsix'))
  if (!vsix) throw new Error('There is no .vsix: npm run package in apps/vscode makes it')
  return join(out, vsix)
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stageServer } from '../../apps/vscode/scripts/stage-server.mjs'
import { allPlatforms, platformModules } from '../../scripts/release/platform-modules.mjs'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Of what is installed; the extension's own part is small. */
const MAX_BYTES = 24_000_000
/** How a program for each system begins. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  linux: '7f454c46',
  darwin: 'cffaedfe',
  win32: '4d5a',
}

describe('the server in the extension, from one machine', () => {
  it.each(allPlatforms)('has programs for %s alone, and is small', (platform) => {
    const target = temporaryFolder()
    stageServer(root, target, { platform, modules: platformModules(root, platform) })
    const files = readdirSync(target, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const programs = files.filter((file) => /\.node$|[\\/]rg(\.exe)?$/.test(file))
    expect(programs.length).toBeGreaterThan(1)
    const [system = ''] = platform.split('-')
    for (const file of programs)
      expect(readFileSync(file).toString('hex', 0, 4), file).toMatch(
        new RegExp(`^${BEGINNINGS[system]}`),
      )
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
    expect(bytes).toBeLessThan(MAX_BYTES)
  })
})

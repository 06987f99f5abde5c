// Writes every generated file of the repository anew.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runBundled } from './run-bundled.mjs'

const root = process.cwd()
await runBundled('scripts/generated-files.ts', async ({ generatedFiles }) => {
  for (const [path, text] of await generatedFiles(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`written ${path}`)
  }
})

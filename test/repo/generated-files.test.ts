import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generatedFiles } from '../../scripts/generated-files.ts'

const root = new URL('../..', import.meta.url).pathname

it('every generated file is up to date (npm run generate writes them)', async () => {
  for (const [path, text] of await generatedFiles(root))
    expect(readFileSync(join(root, path), 'utf8'), path).toBe(text)
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { expect, it } from 'vitest'
import { createTokenizer } from '../../../../apps/embeddings/word-pieces.mjs'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { installedEmbedder } from './engine-parts.ts'

it('uses the package for notes where it is installed, and does without where it is not', async () => {
  const file = join(temporaryFolder(), 'embedder.mjs')
  writeFileSync(file, "export const createEmbedder = () => ({ id: 'installed' })\n")
  expect(await installedEmbedder(silentLog, pathToFileURL(file).href)).toEqual({
    embedder: { id: 'installed' },
  })
  expect(await installedEmbedder(silentLog, 'no-such-package-anywhere')).toEqual({})
})

it.each([
  "throw new Error('built for another machine')",
  "import './lost.mjs'",
  'export const other = 1',
])('says that a package cannot be used: %s', async (source) => {
  const file = join(temporaryFolder(), 'embedder.mjs')
  writeFileSync(file, source)
  expect(await installedEmbedder(silentLog, pathToFileURL(file).href)).toEqual({
    problem: 'secretary-embeddings is installed, but cannot be used',
  })
})

it('breaks words into the longest pieces that the model knows', () => {
  const idsOf = createTokenizer(['[CLS]', '[SEP]', '[UNK]', 'token', '##s', 'cafe', '.'])
  expect(idsOf('Tokens. Café zebra')).toEqual([0, 3, 4, 6, 5, 2, 1])
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { createTokenizer } from '../../apps/embeddings/word-pieces.mjs'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { silentLog } from '../core/log.ts'
import { installedEmbedder } from './installed-embedder.ts'

it('uses the package for notes where it is installed, and does without where it is not', async () => {
  const file = join(temporaryFolder(), 'embedder.mjs')
  writeFileSync(file, "export const createEmbedder = () => ({ id: 'installed' })\n")
  expect(await installedEmbedder(silentLog, pathToFileURL(file).href)).toEqual({ id: 'installed' })
  expect(await installedEmbedder(silentLog, 'no-such-package-anywhere')).toBeUndefined()
})

it('does without a package that cannot be used', async () => {
  const file = join(temporaryFolder(), 'embedder.mjs')
  writeFileSync(file, "throw new Error('built for another machine')\n")
  expect(await installedEmbedder(silentLog, pathToFileURL(file).href)).toBeUndefined()
})

it('breaks words into the longest pieces that the model knows', () => {
  const idsOf = createTokenizer(['[CLS]', '[SEP]', '[UNK]', 'token', '##s', 'cafe', '.'])
  expect(idsOf('Tokens. Café zebra')).toEqual([0, 3, 4, 6, 5, 2, 1])
})

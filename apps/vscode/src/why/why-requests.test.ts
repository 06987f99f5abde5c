import { afterEach, expect, it } from 'vitest'
import type { TextDocument } from 'vscode'
import { reset, Uri, workspace } from '../../test/vscode-fake.ts'
import type { Companions } from '../server/companions.ts'
import { type Reason, WhyRequests } from './why-requests.ts'

const REASON: Reason = {
  sessionId: 'a',
  source: 'codex',
  index: 1,
  timestamp: 1,
  request: 'Add the tax',
}

afterEach(() => {
  workspace.workspaceFolders = undefined
  reset()
})

it('asks again where nothing was known, and not again where something was', async () => {
  workspace.workspaceFolders = [{ name: 'shop', uri: Uri.file('/shop') }]
  const answers: Reason[][] = [[], [REASON], []]
  const get = async () => ({ requests: answers.shift() })
  const why = new WhyRequests({ of: () => ({ get }) } as object as Companions)
  const document = { uri: Uri.file('/shop/tax.ts'), version: 1 } as object as TextDocument
  expect(await why.of(document, 1)).toEqual([])
  expect(await why.of(document, 1)).toEqual([REASON])
  expect(await why.of(document, 1)).toEqual([REASON])
})

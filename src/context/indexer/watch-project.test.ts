import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { silentLog } from '../../core/log.ts'
import { watchProject } from './watch-project.ts'

it('takes a change up again that could not be dealt with', async () => {
  const root = temporaryFolder()
  const onChange = vi.fn(async (_paths: readonly string[] | undefined) => {})
  onChange.mockRejectedValueOnce(new Error('the database is down'))
  const watcher = await watchProject(root, onChange, silentLog, 10)
  onTestFinished(() => watcher.close())
  writeFileSync(join(root, 'a.ts'), 'export const a = 1\n')
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2), { timeout: 10_000 })
  expect(onChange.mock.calls).toEqual([[['a.ts']], [undefined]])
})

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { hostileRepository, PROGRAM_KEYS } from '../../../../test/support/hostile-repository.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { reset, seen, type Uri } from '../../test/vscode-fake.ts'
import { pastDocuments, showChangesSince } from './changes-since.ts'

type Change = readonly [file: Uri, past: Uri, now: Uri]

let shown: readonly Change[]

beforeEach(() => {
  reset()
  shown = []
  seen.commands.set('vscode.changes', (_title, changes) => {
    shown = changes as Change[]
  })
})

const textOf = (uri: Uri) =>
  pastDocuments.provideTextDocumentContent(uri as never, undefined as never)

describe('changes since a request', () => {
  it('are shown for what was changed and what is new, and no program of the folder is run', async () => {
    const { folder, file, trace } = hostileRepository(PROGRAM_KEYS)
    writeFileSync(join(folder, 'new.ts'), 'new\n')
    await showChangesSince(folder, Date.now() + 60_000, 1)
    expect(shown.map(([{ path }]) => path)).toEqual(
      expect.arrayContaining([file, join(folder, 'new.ts')]),
    )
    const [, changed] = shown.find(([{ path }]) => path === file) ?? []
    const [, added] = shown.find(([{ path }]) => path.endsWith('new.ts')) ?? []
    expect(await textOf(changed as Uri)).toBe('one\n')
    expect(await textOf(added as Uri)).toBe('')
    expect(existsSync(trace)).toBe(false)
  })

  it('are not looked for where a program of the folder cannot be turned off', async () => {
    const { folder, trace } = hostileRepository(['filter.a=b.clean'])
    await showChangesSince(folder, Date.now() + 60_000, 1)
    expect(shown).toEqual([])
    expect(seen.shown).toEqual(['Changes can be shown in a folder under Git.'])
    expect(existsSync(trace)).toBe(false)
  })

  it('need a folder under Git, and a commit from before the request', async () => {
    await showChangesSince(temporaryFolder(), Date.now(), 1)
    const { folder } = hostileRepository([])
    await showChangesSince(folder, 0, 1)
    expect(seen.shown).toEqual([
      'Changes can be shown in a folder under Git.',
      'There is no commit from before this request.',
    ])
  })
})

import type { Source } from '@secretary-mcp/transcripts/source.ts'
import { expect, it } from 'vitest'
import { type DeedsHouse, deedsHouse } from '../../../../test/support/deeds-house.ts'
import { noSignal } from '../../../../test/support/dialogs-service.ts'

/** Whoever reads or lists waits until the gate opens, as on a slow disk. */
function slowHouse(what: 'list' | 'read') {
  const under = deedsHouse()
  under.home.claude('cc-deeds.jsonl', under.home.sample('claude-code/deeds.jsonl'))
  under.home.write(`${under.home.project}/src/greet.ts`, 'export const a = 1\n')
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const slow = (source: Source): Source => ({
    name: source.name,
    roots: source.roots,
    fits: (client) => source.fits(client),
    stat: (key, path) => source.stat(key, path),
    text: (path, mark) => source.text(path, mark),
    turns: (...given) => source.turns(...given),
    list: async (context) => {
      if (what === 'list') await gate
      return source.list(context)
    },
    read: async (...given) => {
      if (what === 'read') await gate
      return source.read(...given)
    },
  })
  const dialogs = under.again({
    deeds: under.deeds,
    sources: under.dialogs.index.sources.map(slow),
    patienceMs: 0,
  })
  return { ...under, dialogs, open }
}

const asked = {
  why: ({ dialogs, caller }: DeedsHouse) =>
    dialogs.deeds.why(caller, { file: 'src/greet.ts', line: 1 }, noSignal),
  how: ({ dialogs, caller }: DeedsHouse) => dialogs.deeds.how(caller, 'test', noSignal),
  fix: ({ dialogs, caller }: DeedsHouse) => dialogs.deeds.fix(caller, 'some error', noSignal),
  search: ({ dialogs, caller }: DeedsHouse) =>
    dialogs.searchRequests(caller, { query: 'greet', limit: 5 }, noSignal),
  browse: async ({ dialogs, caller }: DeedsHouse) => ({
    value: await dialogs.browse(caller, { limit: 5, offset: 0 }, noSignal),
  }),
  'search among all': async ({ dialogs, caller }: DeedsHouse) => ({
    value: await dialogs.searchBrowsed(caller, { query: 'greet', limit: 5 }, noSignal),
  }),
  today: async ({ dialogs, caller }: DeedsHouse) => ({
    value: await dialogs.deeds.today(caller, 0, noSignal),
  }),
}

it('nobody but the owner is told how much is unread', async () => {
  const { dialogs, caller, open } = slowHouse('read')
  const other = { ...caller, user: 'somebody else' }
  await dialogs.ready(caller, noSignal)
  await expect.poll(() => dialogs.unreadFor(caller)).toHaveProperty('note')
  expect(dialogs.unreadFor(other)).toEqual({})
  expect(await dialogs.browse(other, { limit: 5, offset: 0 }, noSignal)).toEqual({
    dialogs: [],
    total: 0,
  })
  open()
})

it.each(Object.entries(asked))(
  '%s says that dialogs are still being read, and only then',
  async (_tool, ask) => {
    for (const [what, note] of [
      ['list', 'Dialogs are still being read'],
      ['read', 'Dialogs are still being read: 1 to go'],
    ] as const) {
      const under = slowHouse(what)
      await expect.poll(async () => (await ask(under)).value).toMatchObject({ note })
      under.open()
      await expect.poll(async () => (await ask(under)).value).not.toHaveProperty('note')
    }
  },
)

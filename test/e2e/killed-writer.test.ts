import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { connectToUrl, startHttpServer } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MAX_KILLS = 30
/** A younger one might be another server's that still writes. */
const HOUR_AGO = new Date(Date.now() - 3_600_000)

it('a server killed while it writes a document leaves it whole, and its draft is swept', async () => {
  const home = join(temporaryFolder(), 'home')
  const lang = join(home, 'docroot', 'lang')
  mkdirSync(lang, { recursive: true })
  const env = { SECRETARY_HOME: home, SECRETARY_AUTH: 'off' }
  const text = (n: number) => `${String(n).repeat(400_000)}\n`
  const drafts = () => readdirSync(lang).filter((name) => name.endsWith('.tmp'))
  const start = async () => {
    const server = await startHttpServer({ env })
    return { server, client: await connectToUrl(server.url) }
  }

  let { server, client } = await start()
  const path = 'lang/long.md'
  const first = { path, content: text(1), consent: 'CREATE_DOCUMENT' }
  expect((await client.call('guide_create_document', first)).body.success).toBe(true)
  let left: string[] = []
  for (let kill = 0; kill < MAX_KILLS && left.length === 0; kill++) {
    const killed = client
    const writing = Array.from({ length: 4 }, async (_, n) => {
      const written = { path, content: text(n), consent: 'UPDATE_DOCUMENT' }
      while (await killed.call('guide_update_document', written).catch(() => undefined));
    })
    while (drafts().length === 0) await nextTurn()
    server.child.kill('SIGKILL')
    await client.close()
    await Promise.all(writing)
    left = drafts()
    const whole = readFileSync(join(lang, 'long.md'), 'utf8')
    expect(whole).toBe(text(Number(whole[0])))
    for (const draft of left) utimesSync(join(lang, draft), HOUR_AGO, HOUR_AGO)
    ;({ server, client } = await start())
  }
  expect(left).not.toEqual([])
  expect(drafts()).toEqual([])
  await client.close()
  await server.stop()
})

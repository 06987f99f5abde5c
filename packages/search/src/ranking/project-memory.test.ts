import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { engineFor, write } from '../../../../test/support/search-engine-house.ts'

it('is filled once by searches that come together', async () => {
  const before = await engineFor()
  await before.engine.index()
  const request = { query: 'send a message with the mailer', limit: 10, explain: true }
  const { results } = await before.engine.search(request)
  const { engine } = await engineFor({ root: before.root, database: before.database })
  const together = await Promise.all([1, 2, 3].map(() => engine.search(request)))
  const later = await engine.search(request)
  for (const answer of [...together, later]) expect(answer.results).toEqual(results)
})

it('follows files that change, come and go, as if it had just been filled', async () => {
  const { engine, root, database } = await engineFor()
  const search = async (from = engine) =>
    (await from.search({ query: 'mailer', limit: 10, sources: ['code'] })).results
  await engine.index()
  await search()
  write(root, { 'src/mail/mailer.ts': 'export class Mailer { sendLater() {} }\n' })
  write(root, { 'src/other/mailer-queue.ts': 'export const mailerQueue = []\n' })
  await engine.index()
  await search()
  rmSync(join(root, 'src/other'), { recursive: true })
  write(root, { 'src/mail/mailer-log.ts': 'export const mailerLog = []\n' })
  await engine.index()
  const paths = (await search()).map(({ file }) => file)
  expect(paths).toContain('src/mail/mailer-log.ts')
  expect(paths).not.toContain('src/other/mailer-queue.ts')
  const { engine: fresh } = await engineFor({ root, database })
  expect(paths).toEqual((await search(fresh)).map(({ file }) => file))
})

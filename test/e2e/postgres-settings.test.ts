import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { runPostgres } from '../support/postgres-server.ts'

const text = readFileSync(new URL('../../deploy/postgresql.conf', import.meta.url), 'utf8')

it('PostgreSQL starts with the settings that we recommend, and has each of them', async () => {
  const settings = text.split('\n').flatMap((line) => {
    const [, name, value] = /^(\w+) = (.+)$/.exec(line) ?? []
    return name && value ? [{ name, value }] : []
  })
  expect(settings.length).toBeGreaterThan(8)
  const server = await runPostgres()
  onTestFinished(() => server.stop())
  await server.end()
  await server.start(settings.map(({ name, value }) => `${name}=${value}`))
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  for (const { name, value } of settings) {
    const { rows } = await client.query('select current_setting($1) as value', [name])
    const unit = (shown: string) => shown.replace(/^60s$/, '1min')
    expect(rows, name).toEqual([{ value: unit(value) }])
  }
  await client.end()
})

import { join } from 'node:path'
import { build } from 'esbuild'
import pg from 'pg'
import { onlyOurs } from '../scripts/only-ours.mjs'

/** A PostgreSQL of its own, as the tests have one; with the programs of a folder, where one is named. */
export async function runPostgres(root, programs) {
  // Beside the packages that it loads by name.
  const outfile = join(root, 'node_modules', '.bench-postgres.mjs')
  await build({
    entryPoints: [join(root, 'test/support/postgres-server.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [onlyOurs()],
  })
  return (await import(outfile)).runPostgres(undefined, programs)
}

/** The address of a new database. */
export async function createDatabase(server, name) {
  await query(server, `create database ${name}`)
  return server.replace(/\/postgres$/, `/${name}`)
}

export async function query(url, ...args) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(...args)).rows
  } finally {
    await client.end()
  }
}

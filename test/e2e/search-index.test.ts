import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteFile } from '@secretary-mcp/core/sqlite/connection.ts'
import { describe, expect, it } from 'vitest'
import { binary, connectStdio, isolatedEnvironment } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function project(files: number): string {
  const root = temporaryFolder()
  for (let n = 0; n < files; n++) {
    mkdirSync(join(root, `part${n % 20}`), { recursive: true })
    const methods = Array.from(
      { length: 20 },
      (_, m) => `  grow${m}(tree: number) {\n    return tree * ${n + m}\n  }\n`,
    )
    writeFileSync(
      join(root, `part${n % 20}`, `orchard-${n}.ts`),
      `export class Orchard${n} {\n${methods.join('\n')}}\n`,
    )
  }
  return root
}

/** Spoils the page that the words of all chunks hang from. */
async function damage(path: string): Promise<void> {
  const file = await openSqliteFile(path)
  const { page_size } = file.prepare('PRAGMA page_size').get() as { page_size: number }
  const { rootpage } = file
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'chunk_terms_data'")
    .get() as {
    rootpage: number
  }
  file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  file.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xee, (rootpage - 1) * page_size, rootpage * page_size))
}

const isWhole = (env: Record<string, string>) => async () => {
  const server = await connectStdio({ env })
  const { body } = await server.call('context_search', { query: 'Orchard7' })
  const files = ((body.results ?? []) as { file: string }[]).map(({ file }) => file)
  await server.close()
  return body.partial !== true && files[0] === 'part7/orchard-7.ts'
}

describe('the search index of a running server', () => {
  it('is built in a thread of its own; a server closed meanwhile ends, and the next one goes on', async () => {
    const env = isolatedEnvironment({
      SECRETARY_PROJECT: project(400),
      SECRETARY_RATE_LIMITS: 'off',
    })
    const child = spawn(process.execPath, [binary, 'mcp'], {
      env: { ...env, SECRETARY_LOG_LEVEL: 'debug' },
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const clientInfo = { name: 'raw', version: '1' }
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    })
    send({ method: 'notifications/initialized' })
    send({
      id: 2,
      method: 'tools/call',
      params: { name: 'context_search', arguments: { query: 'orchard' } },
    })
    await expect.poll(() => said).toContain('indexing in a separate thread')
    child.stdin.end()
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    // That a call was slow says only how busy this machine is.
    const troubles = said
      .split('\n')
      .filter((line) => /"level":"(warn|error)"/.test(line) && !line.includes('"maximumMs"'))
    expect(troubles).toEqual([])
    await expect.poll(isWhole(env)).toBe(true)
  })

  it('follows the files while the server runs', async () => {
    const root = project(5)
    const server = await connectStdio({
      env: { SECRETARY_PROJECT: root, SECRETARY_RATE_LIMITS: 'off' },
    })
    const first = async (query: string) => {
      const { results = [] } = (await server.call('context_search', { query })).body as {
        results?: { file: string }[]
      }
      return results[0]?.file
    }
    await expect.poll(() => first('Orchard3')).toBe('part3/orchard-3.ts')
    // Watching begins a while after the first index: what happens in between must not be missed.
    for (const name of ['pressCider', 'bottleJuice', 'peelApples']) {
      const file = `part3/${name}.ts`
      writeFileSync(join(root, file), `export function ${name}() {}\n`)
      await expect.poll(() => first(name)).toBe(file)
    }
    rmSync(join(root, 'part3/peelApples.ts'))
    await expect.poll(() => first('peelApples')).not.toBe('part3/peelApples.ts')
    await server.close()
  })

  it('is left to the command where the setting says so', async () => {
    const env = isolatedEnvironment({
      SECRETARY_PROJECT: project(20),
      SECRETARY_BACKGROUND_INDEX: 'off',
    })
    const server = await connectStdio({ env })
    const { body } = await server.attempt('context_search', { query: 'Orchard7' })
    expect(body.error).toBe('No embeddings found. Run initial session to generate context.')
    const indexed = spawnSync(process.execPath, [binary, 'index'], { env, encoding: 'utf8' })
    expect(indexed.stdout).toContain('20 files indexed')
    const { body: after } = await server.call('context_search', { query: 'Orchard7' })
    expect((after.results as unknown[])[0]).toMatchObject({ file: 'part7/orchard-7.ts' })
    await server.close()
  })

  it('is begun anew when it turns out to be damaged, and nothing that was learned is lost', async () => {
    const env = isolatedEnvironment({
      SECRETARY_PROJECT: project(20),
      SECRETARY_RATE_LIMITS: 'off',
    })
    const first = await connectStdio({ env })
    await first.call('record_discovery', {
      type: 'decision',
      content: 'We prune the apple trees in February',
    })
    await first.close()
    await expect.poll(isWhole(env)).toBe(true)

    const folder = join(String(env.SECRETARY_HOME), 'index')
    const [name] = readdirSync(folder).filter((file) => file.endsWith('.db'))
    await damage(join(folder, String(name)))

    const second = await connectStdio({ env })
    const { body, result } = await second.call('context_search', { query: 'grow a tree' })
    expect(JSON.stringify([body, result])).not.toMatch(/damaged|malformed|incident/i)
    const found = async (query: string) =>
      JSON.stringify((await second.call('context_search', { query })).body)
    await expect.poll(() => found('Orchard7')).toContain('part7/orchard-7.ts')
    await expect.poll(() => found('when are apple trees pruned')).toContain('February')
    await second.close()
  })

  it('is begun anew when its file was deleted under a running server, which sees what others put there', async () => {
    const root = project(3)
    const env = isolatedEnvironment({
      SECRETARY_PROJECT: root,
      SECRETARY_RATE_LIMITS: 'off',
      SECRETARY_BACKGROUND_INDEX: 'off',
    })
    const index = () => spawnSync(process.execPath, [binary, 'index'], { env, encoding: 'utf8' })
    index()
    const server = await connectStdio({ env })
    const found = async (query: string) =>
      JSON.stringify((await server.call('context_search', { query })).body)
    expect(await found('Orchard1')).toContain('part1/orchard-1.ts')
    rmSync(join(String(env.SECRETARY_HOME), 'index'), { recursive: true })
    writeFileSync(join(root, 'late.ts'), 'export function lateHarvest() {}\n')
    index()
    expect(await found('lateHarvest')).toContain('late.ts')
    await server.close()
  })
})

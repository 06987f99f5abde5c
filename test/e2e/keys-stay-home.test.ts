import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A service that remembers what it was sent. */
async function listening(redirectTo?: string) {
  const seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers })
    if (redirectTo) response.writeHead(307, { location: redirectTo }).end()
    else response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen }
}

async function secretary(env: Record<string, string>, ...args: string[]): Promise<string> {
  const all = isolatedEnvironment(env)
  writeFileSync(join(all.SECRETARY_PROJECT ?? '', 'a.ts'), 'export const answer = 42\n')
  const child = spawn(process.execPath, [binary, ...args], { env: all })
  child.stdin.end()
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (said += chunk))
  await once(child, 'close')
  return said
}

/** What other programs leave in the environment. */
const FOREIGN = {
  OPENAI_API_KEY: 'sk-other',
  OPENAI_ORG_ID: 'org-other',
  OPENAI_PROJECT_ID: 'proj-other',
  OPENAI_CUSTOM_HEADERS: 'X-Other: yes',
}

describe.each([
  {
    what: 'the chat model',
    env: (url: string) => ({
      SECRETARY_MODEL: 'm',
      SECRETARY_MODEL_URL: url,
      SECRETARY_MODEL_KEY: 'sk-ours',
    }),
    args: ['chat', '--once', 'what is left to do?'],
  },
  {
    what: 'the embedding service',
    env: (url: string) => ({ SECRETARY_EMBEDDINGS_URL: url, SECRETARY_EMBEDDINGS_KEY: 'sk-ours' }),
    args: ['index'],
  },
])('the key of $what', ({ env, args }) => {
  it('does not follow a redirect', async () => {
    const elsewhere = await listening()
    const first = await listening(`${elsewhere.url}/taken`)
    await secretary(env(first.url), ...args)
    expect(first.seen.length).toBeGreaterThan(0)
    expect(first.seen[0]?.headers.authorization).toBe('Bearer sk-ours')
    expect(elsewhere.seen).toEqual([])
  })

  it('goes where our setting says, whatever other programs have set', async () => {
    const foreign = await listening()
    const ours = await listening()
    await secretary({ ...FOREIGN, OPENAI_BASE_URL: foreign.url, ...env(ours.url) }, ...args)
    expect(foreign.seen).toEqual([])
    const sent = JSON.stringify(ours.seen)
    expect(sent).toContain('sk-ours')
    for (const secret of ['sk-other', 'org-other', 'proj-other', 'x-other'])
      expect(sent.toLowerCase()).not.toContain(secret)
  })
})

it('secretary config shows no password of an address', async () => {
  const said = await secretary(
    {
      SECRETARY_MODEL_URL: 'https://ada:hunter2@models.example/v1?api-key=hunter3',
      SECRETARY_EMBEDDINGS_URL: 'http://hunter4@127.0.0.1:9/v1',
      SECRETARY_DATABASE_URL: 'postgres://ada:hunter5@db.example/x',
    },
    'config',
  )
  expect(said).toContain('models.example')
  expect(said).not.toMatch(/hunter\d/)
})

it('control characters of files never reach the terminal', async () => {
  const evil = 'x\u001b]0;owned\u0007\u009b2J\u202e'
  const env = isolatedEnvironment()
  writeFileSync(join(env.SECRETARY_PROJECT ?? '', 'evil.txt'), `needle ${evil}`)
  writeFileSync(join(env.SECRETARY_PROJECT ?? '', 'na\u001b[31mme.txt'), 'needle')
  for (const args of [
    ['read', 'evil.txt'],
    ['grep', 'needle'],
    ['call', 'grep_codebase', '{"pattern":"needle"}'],
    ['tasks', 'add', evil],
    ['tasks'],
    ['read', `missing-${evil}`],
  ]) {
    const said = await secretary(env, ...args)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    expect(said, args.join(' ')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  }
})

// Dialogs: first scan of 1,000 generated dialogs (500 MB), later start, get_request, and how soon a new request shows.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { claudeFolder, generateDialogs, sessionOf } from './dialogs-generate.mjs'

const DIALOGS = Number(process.env.BENCH_DIALOGS ?? 1000)
const MEGABYTES = Number(process.env.BENCH_MEGABYTES ?? 500)
const CALLS = 300
const DEED_CALLS = 60
/** Another build, to compare with. */
const binary =
  process.env.BENCH_BINARY ?? fileURLToPath(new URL('../dist/secretary.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'secretary-bench-'))
const place = { home: join(folder, 'home'), project: join(folder, 'project') }

export async function dialogs() {
  mkdirSync(place.project, { recursive: true })
  try {
    const bytes = await generateDialogs(place, DIALOGS, (MEGABYTES * 2 ** 20) / DIALOGS)
    const first = await scan()
    const later = await scan()
    const { getRequestMs, searchMs, newRequestShowsMs, deedsMs } = await answers()
    const share = deedsSize() / bytes
    return {
      title: `Dialogs: ${DIALOGS} of them, ${Math.round(bytes / 2 ** 20)} MB`,
      header: ['what', 'seen', 'wanted'],
      rows: [
        ['first scan, from spawn to the whole index', `${first.wholeMs} ms`, '15,000 ms'],
        ['the same, processor time', `${first.processorMs} ms`, '1.5 × without deeds'],
        ['most memory in it', `${first.peakMemoryMb} MB`, '300 MB'],
        [
          'later start, from connection to the whole index',
          `${later.wholeMs - later.connectedMs} ms`,
          '300 ms',
        ],
        ['the same from spawn', `${later.wholeMs} ms`, ''],
        ['get_request p50 · p95', `${getRequestMs.p50} · ${getRequestMs.p95} ms`, '5 ms'],
        ['index of deeds, of the transcripts', `${(share * 100).toFixed(1)} %`, '6 %'],
        ...Object.entries(deedsMs).map(([tool, ms]) => [
          `${tool} p50, asked for the first time`,
          `${ms} ms`,
          '',
        ]),
        ['search_requests, first · second', `${searchMs.join(' · ')} ms`, ''],
        ['a new dialog shows after', `${newRequestShowsMs.inNewDialog} ms`, '1,000 ms'],
        ['a new request shows after', `${newRequestShowsMs.appended} ms`, '1,000 ms'],
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A process of its own: until the first answer, until the whole index is there, and the most memory it ever held. */
async function scan() {
  const started = performance.now()
  const server = await connect()
  const connectedMs = Math.round(performance.now() - started)
  let firstAnswerMs
  for (;;) {
    const body = await server.call('list_dialogs', { limit: 1 })
    firstAnswerMs ??= Math.round(performance.now() - started)
    if (body.total === DIALOGS && !body.note) break
    await pause(50)
  }
  const wholeMs = Math.round(performance.now() - started)
  const peakMemoryMb = server.peakMb()
  const processorMs = server.processorMs()
  await server.close()
  return { connectedMs, firstAnswerMs, wholeMs, peakMemoryMb, processorMs }
}

async function answers() {
  const server = await connect()
  await server.call('list_dialogs', { limit: 1 })
  const times = []
  for (let call = 0; call < CALLS; call++) {
    const started = performance.now()
    const body = await server.call('get_request', {
      index: 1 + (call % 3),
      sessionId: sessionOf((call * 37) % DIALOGS),
    })
    times.push(performance.now() - started)
    if (body.success !== true) throw new Error(JSON.stringify(body))
  }
  times.sort((a, b) => a - b)
  const getRequestMs = {
    p50: round(times[CALLS / 2]),
    p95: round(times[Math.floor(CALLS * 0.95)]),
    max: round(times.at(-1)),
  }
  const searchMs = []
  for (const query of ['change module 17', 'why is module 3 slow']) {
    const started = performance.now()
    await server.call('search_requests', { query })
    searchMs.push(Math.round(performance.now() - started))
  }
  const deedsMs = process.env.BENCH_BINARY ? {} : await deeds(server)
  const newRequestShowsMs = await freshness(server)
  await server.close()
  return { getRequestMs, searchMs, newRequestShowsMs, deedsMs }
}

/** Each tool about deeds, asked of another dialog or file every time. */
async function deeds(server) {
  const module = (n) => `src/module-${n % 50}.ts`
  mkdirSync(join(place.project, 'src'), { recursive: true })
  for (let n = 0; n < 50; n++)
    writeFileSync(
      join(place.project, module(n)),
      `  const part1 = compute(${n}, 1)\n  return part1\n`,
    )
  const asked = {
    why: (n) => ({ file: module(n), line: 1 }),
    ledger: (n) => ({ sessionId: sessionOf(n * 10) }),
    how: (n) => ({ what: `test module-${n % 50}` }),
    fix: (n) => ({ error: `compute of module ${n} is not a function` }),
    recall: (n) => ({ sessionId: sessionOf(n * 10) }),
  }
  const p50 = {}
  for (const [tool, argsOf] of Object.entries(asked)) {
    const times = []
    for (let n = 0; n < DEED_CALLS; n++) {
      const started = performance.now()
      const body = await server.call(tool, argsOf(n))
      times.push(performance.now() - started)
      if (body.success !== true) throw new Error(`${tool}: ${JSON.stringify(body)}`)
    }
    p50[tool] = round(times.sort((a, b) => a - b)[DEED_CALLS >> 1])
  }
  return p50
}

function deedsSize() {
  try {
    return statSync(join(place.home, '.secretary', 'users', userInfo().username, 'deeds.db')).size
  } catch {
    return 0
  }
}

/** A new dialog, and a new request in a known one, each until the first answer that has it. */
async function freshness(server) {
  const path = join(claudeFolder(place), 'cc-new.jsonl')
  const write = (content) =>
    appendFileSync(
      path,
      `${JSON.stringify({ type: 'user', cwd: place.project, message: { content } })}\n`,
    )
  const until = async (tool, args, shows) => {
    const started = performance.now()
    while (!shows(await server.call(tool, args))) await pause(20)
    return Math.round(performance.now() - started)
  }
  write('A new dialog')
  const inNewDialog = await until(
    'get_first_request',
    {},
    (body) => body.firstRequest === 'A new dialog',
  )
  write('A new request')
  const appended = await until(
    'get_request',
    { index: 2 },
    (body) => body.request === 'A new request',
  )
  return { inNewDialog, appended }
}

async function connect() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binary, 'mcp'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: place.home,
      SECRETARY_HOME: join(place.home, '.secretary'),
      SECRETARY_PROJECT: place.project,
      SECRETARY_RATE_LIMITS: 'off',
    },
  })
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(transport)
  const { pid } = transport
  return {
    async call(tool, args) {
      const result = await client.callTool({
        name: `copilot_chat_secretary_${tool}`,
        arguments: args,
      })
      return JSON.parse(result.content[0].text)
    },
    peakMb: () => peakOf(pid),
    processorMs: () => processorOf(pid),
    close: () => client.close(),
  }
}

/** Linux keeps the high-water mark; elsewhere there is none to read. */
function peakOf(pid) {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes ? Math.round(Number(kilobytes) / 1024) : undefined
  } catch {
    return undefined
  }
}

/** In the system's hundredths of a second: a busy machine does not change it as it does the clock's. */
function processorOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}

function pause(ms) {
  return new Promise((later) => setTimeout(later, ms))
}

function round(ms) {
  return Math.round(ms * 100) / 100
}

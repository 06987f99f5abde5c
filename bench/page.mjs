// The page over 10,000 dialogs, 10,000 tasks and 100,000 requests: first paint, first row, and how smoothly it scrolls.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { serve } from './serve.mjs'

const DIALOGS = Number(process.env.BENCH_DIALOGS ?? 10_000)
const TASKS = Number(process.env.BENCH_TASKS ?? 10_000)
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 100_000)
const ROUNDS = 5
const AT_ONCE = 16
const VIEWS = [
  ['Today', '/', '.requests li'],
  ['Tasks', '/tasks?status=all', '.row[data-done]'],
  ['Board', '/tasks?view=board', '.card[data-done]'],
  ['Dialogs', '/dialogs', '.row-link'],
  ['A dialog with most of the requests', '/dialogs?session=long', '.thread li'],
  ['Its last page', `/dialogs?session=long&at=${REQUESTS - 2 * (DIALOGS - 1)}`, '.thread li'],
  ['Tools', '/tools', '.tools-table tbody tr'],
  ['Figures', '/usage', 'tbody tr'],
  ['Search in everything', '/search?by=all&q=module', '.found'],
]

export async function page(root) {
  const folder = mkdtempSync(join(tmpdir(), 'secretary-bench-page-'))
  try {
    const place = { home: join(folder, 'home'), project: join(folder, 'project') }
    writeDialogs(place)
    const server = await serve(root, {
      HOME: place.home,
      SECRETARY_HOME: join(place.home, '.secretary'),
      SECRETARY_PROJECT: place.project,
    })
    try {
      const started = performance.now()
      const browser = await launch()
      const first = await firstVisits(browser, server.url)
      await waitForIndex(server.url)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      await addTasks(server.url)
      const { rows, ...rest } = await measure(browser, server.url)
      await browser.close()
      return {
        ...rest,
        rows: [...rows, ...first],
        notes: [`The first reading of all dialogs took ${seconds} s.`],
      }
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeDialogs({ home, project }) {
  const claude = join(home, '.claude', 'projects', project.replace(/[^a-zA-Z0-9-]/g, '-'))
  mkdirSync(claude, { recursive: true })
  mkdirSync(project, { recursive: true })
  const start = Date.UTC(2026, 0, 1)
  const write = (sessionId, count, n) => {
    const lines = Array.from({ length: count }, (_, turn) =>
      JSON.stringify({
        cwd: project,
        sessionId,
        isSidechain: false,
        type: 'user',
        message: {
          role: 'user',
          content: `Request ${turn + 1} of ${sessionId}: change module ${(n * 7 + turn) % 90} and say why it was slow.`,
        },
        timestamp: new Date(start + n * 60_000 + turn * 1_000).toISOString(),
      }),
    )
    writeFileSync(join(claude, `${sessionId}.jsonl`), `${lines.join('\n')}\n`)
  }
  for (let n = 0; n < DIALOGS - 1; n++) write(`dialog-${n}`, 2, n)
  write('long', REQUESTS - 2 * (DIALOGS - 1), DIALOGS)
}

async function waitForIndex(url) {
  for (;;) {
    const { total } = await (await fetch(`${url}/api/v1/dialogs?limit=1`)).json()
    if (total === DIALOGS) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

async function addTasks(url) {
  let next = 0
  const add = async () => {
    while (next < TASKS) {
      const n = next++
      const body = JSON.stringify({
        title: `Task ${n}: look at module ${n % 90}`,
        description: 'Found while reading',
        completed: n % 3 === 0,
      })
      await fetch(`${url}/api/v1/tasks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, add))
}

function launch() {
  const executablePath = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path))
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** A tab of its own: nothing is cached, as on a first visit. */
async function visit(browser, address, row) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  const tab = await context.newPage()
  const started = performance.now()
  await tab.goto(address)
  await tab.locator(row).first().waitFor({ timeout: 300_000 })
  const rowMs = performance.now() - started
  const paintMs = await tab.evaluate(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0",
  )
  return { context, tab, rowMs, paintMs }
}

/** The server has just begun to read all dialogs. */
async function firstVisits(browser, url) {
  const seen = []
  for (const [name, path, row] of VIEWS.filter(([name]) => /^(Today|Dialogs)$/.test(name))) {
    const { context, tab, rowMs, paintMs } = await visit(browser, `${url}${path}`, row)
    const isReading = await tab.locator('.still-reading').count()
    seen.push([
      `${name}, while dialogs are ${isReading ? 'still being read' : 'read: done by then'}`,
      `${Math.round(paintMs)} ms`,
      `${Math.round(rowMs)} ms`,
      '',
    ])
    await context.close()
  }
  return seen
}

async function measure(browser, url) {
  const rows = []
  for (const [name, path, row] of VIEWS) {
    const paints = []
    const firstRows = []
    let frames
    for (let round = 0; round < ROUNDS; round++) {
      const { context, tab, rowMs, paintMs } = await visit(browser, `${url}${path}`, row)
      firstRows.push(rowMs)
      paints.push(paintMs)
      if (round === ROUNDS - 1) frames = await tab.evaluate(SCROLL)
      await context.close()
    }
    rows.push([
      name,
      `${median(paints)} ms`,
      `${median(firstRows)} ms`,
      frames.height > 2_000 ? `${frames.p95} ms, ${frames.long} over 50 ms` : 'one screen',
    ])
  }
  const header = [
    'view',
    'first paint',
    'first row on screen',
    `frames of a scroll to the end and back, p95`,
  ]
  return {
    title: `The page over ${DIALOGS} dialogs, ${TASKS} tasks, ${REQUESTS} requests`,
    header,
    rows,
  }
}

/** From top to bottom and back in 240 steps; a frame that comes late is one that somebody sees. */
const SCROLL = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const height = document.documentElement.scrollHeight - innerHeight
  const gaps = []
  let last = await frame()
  for (let step = 1; step <= 240; step++) {
    const along = step <= 120 ? step / 120 : 2 - step / 120
    scrollTo(0, height * along)
    const now = await frame()
    gaps.push(now - last)
    last = now
  }
  gaps.sort((a, b) => a - b)
  return { height, p95: Math.round(gaps[Math.floor(gaps.length * 0.95)]), long: gaps.filter((gap) => gap > 50).length }
})()`

function median(values) {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)])
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { parseIntents } from '@secretary-mcp/secretary/agent/rules/parse-intent.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import { sql } from 'kysely'
import { AgentsHome } from './agents-home.ts'
import { isolatedEnvironment } from './mcp-client.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { keepWorkedDialog } from './worked-dialog.ts'

export type Tongue = 'english' | 'russian'

/** A sentence that somebody may type, and what has to happen then. Nothing else may be changed. */
export interface Sentence {
  readonly say: string
  /** What was typed before it, in the same conversation. */
  readonly before?: readonly string[]
  /** The changes, in order; where several wordings of a text are as good, all of them. */
  readonly does?: readonly (readonly [string, Readonly<Record<string, unknown>>])[]
  readonly reads?: readonly [string, Readonly<Record<string, unknown>>]
  /** The tasks that the answer names, and no others. */
  readonly shows?: readonly number[]
  /** What the answer holds. */
  readonly says?: readonly string[]
  readonly kind?: 'thanks' | 'greeting' | 'help' | 'remind' | 'unsupported' | 'unknown' | 'undo'
}

interface World {
  readonly tasks: readonly {
    readonly title: string
    readonly description?: string
    readonly completed?: boolean
    readonly state?: 'doing' | 'blocked'
    readonly priority?: 'high'
    readonly labels?: string[]
    readonly files?: string[]
  }[]
  readonly requests: readonly string[]
}

const folder = fileURLToPath(new URL('../data/chat/', import.meta.url))
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))

export function readSentences(name: string): readonly Sentence[] {
  return read(`${name}.json`)
}

const FILES = {
  'src/price.ts':
    '/** Formats an amount of cents. */\nexport function formatCents(cents: number): string {\n  return (cents / 100).toFixed(2)\n}\n',
  'src/webhook.ts':
    '/** Sends the webhook. */\nexport async function sendWebhook(url: string): Promise<void> {\n  await fetch(url)\n}\n',
}

export interface ChatWorld {
  /** Undefined where all that was expected happened. */
  whatWentWrong(sentence: Sentence): Promise<string | undefined>
  close(): Promise<void>
}

/** The whole product without a model, with eight tasks, a small project, and one dialog about it. */
export async function openChatWorld(tongue: Tongue): Promise<ChatWorld> {
  const { tasks, requests } = (read('world.json') as Record<Tongue, World>)[tongue]
  const home = new AgentsHome(temporaryFolder())
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home.project, path)), { recursive: true })
    writeFileSync(join(home.project, path), text)
  }
  keepWorkedDialog(
    home,
    'prices',
    requests.map((ask, at) => ({ ask, says: 'Done.', minutesAgo: 30 - at })),
    { lastAt: Date.now() - 3_600_000 },
  )
  const env = isolatedEnvironment({ ...home.env, SECRETARY_RATE_LIMITS: 'off' })
  const { config } = loadConfig({ env, cwd: home.project })
  const app = await createApp(config, silentLog)
  const caller = app.localCaller
  await (await app.context.engineOf(config.project)).index()
  await app.context.readDialogs(caller, {
    signal: new AbortController().signal,
    onRead: () => {},
  })

  async function beginAnew(): Promise<void> {
    await app.database.use(async (db) => {
      await db.deleteFrom('tasks').execute()
      await sql`delete from sqlite_sequence where name = 'tasks'`.execute(db)
    })
    for (const task of tasks) await app.tasks.add(caller.user, { completed: false, ...task })
  }

  return {
    async whatWentWrong(sentence) {
      await beginAnew()
      let conversationId: string | undefined
      const tell = async (message: string) => {
        const { signal } = new AbortController()
        const reply = await app.conversations.chat({ caller, message, conversationId, signal })
        conversationId = reply.conversationId
        return reply
      }
      for (const message of sentence.before ?? []) await tell(message)
      const { text, uses, pending } = await tell(sentence.say)
      const { kind } = parseIntents(sentence.say)[0]
      const used = uses.map(({ name, args }) => [ownName(name), args] as const)
      const changes = [
        ...used.filter(([name]) => CHANGING.has(name)),
        ...(pending ? [[ownName(pending.name), pending.args] as const] : []),
      ]
      const { does = [], reads, shows, says = [], kind: wanted } = sentence
      const said = text.split(/No language model|Языковая модель/)[0] ?? ''
      const named = tasks.flatMap(({ title }, at) => (said.includes(title) ? [at + 1] : []))
      const isRight =
        changes.length === does.length &&
        changes.every((change, at) => isLike(change, does[at])) &&
        (!reads || used.some((use) => isLike(use, reads))) &&
        (!shows || named.join() === shows.join()) &&
        says.every((part) => said.toLowerCase().includes(part.toLowerCase())) &&
        (wanted === undefined || kind === wanted)
      if (isRight) return undefined
      return `${sentence.say}\n    ${JSON.stringify(changes)} ${kind} ${JSON.stringify(said)}`
    },
    close: () => app.close(),
  }
}

const CHANGING = new Set(['add_task', 'complete_task', 'update_task', 'delete_task', 'plan_task'])

function ownName(name: string): string {
  return name.replace(/^(?:copilot_chat_secretary|guide)_/, '')
}

type Call = readonly [string, unknown]

/** The same tool, and every argument that is expected. */
function isLike([name, args]: Call, expected: Call | undefined): boolean {
  if (!expected || expected[0] !== name) return false
  return Object.entries(expected[1] as object).every(([key, value]) => {
    const given = (args as Record<string, unknown>)[key]
    const options = Array.isArray(value) && !Array.isArray(given) ? value : [value]
    return options.some((one) => normal(one) === normal(given))
  })
}

function normal(value: unknown): string {
  return JSON.stringify(value)
    .toLowerCase()
    .replace(/[.!]+"$/, '"')
}

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'

const samples = fileURLToPath(new URL('../samples/dialogs/', import.meta.url))
/** What the agent's maker wrote, and what tells of this machine: nothing that a reader looks at. */
const LEFT_OUT =
  /^(system_?prompt|base_instructions|developer_instructions|user_instructions|instructions|tools|tool_definitions|encrypted_content|host_?id|device_?id|pid|systemPayload|toolTelemetry|telemetry|toolDefinitions|rate_limits|summary_prompt)$/i
/** Records that only the agent itself needs. */
const NOISE =
  /api-request|attachment|usage|token|world_state|^hook\.|shutdown|telemetry|attribution|turn_context|thread_settings|^mcp\.|^llm\.|^agent\.message|snapshot|permission|checkpoint/i
const MAX_LENGTH = 300
/** What the tests said themselves may be longer. */
const OUR_WORDS = /End of the paste|Good morning|docs\/greet\.md/
const PATHS = /(?<![\w.}])\/(tmp|root|work)\/[^\s"'<\\]*/g

/** Keeps the session files that an agent has just written, with neutral paths, as a sample for the readers' tests. */
export function takeSample(
  agent: string,
  house: { readonly home: string; readonly project: string },
  isSession: RegExp,
): void {
  const target = join(samples, agent, 'real')
  rmSync(target, { recursive: true, force: true })
  const slug = house.project.replace(/[^a-zA-Z0-9-]/g, '-')
  const neutral = (text: string) =>
    text
      .replaceAll(house.project, '{{project}}')
      .replaceAll(house.home, '{{home}}')
      .replaceAll(slug, '-shop')
      .replaceAll(slug.slice(1), 'shop')
  const files = readdirSync(house.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => isSession.test(relative(house.home, file)))
  for (const file of files) {
    const isRows = file.endsWith('.db')
    const text = isRows ? rowsOf(file) : pruned(readFileSync(file, 'utf8'))
    const path = join(target, neutral(relative(house.home, file)) + (isRows ? '.json' : ''))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, neutral(text).replaceAll(PATHS, '/elsewhere'))
  }
}

function pruned(text: string): string {
  if (!text.startsWith('{') && !text.startsWith('[')) return text
  try {
    return `${JSON.stringify(JSON.parse(text, leaveOut), null, 2)}\n`
  } catch {
    return text
      .split('\n')
      .flatMap((line) => (line === '' || isNoise(JSON.parse(line)) ? [] : [line]))
      .map((line) => `${JSON.stringify(JSON.parse(line, leaveOut))}\n`)
      .join('')
  }
}

function isNoise({ type, subtype, payload }: Record<string, unknown>): boolean {
  const inner = (payload as { type?: unknown } | undefined)?.type
  return NOISE.test([type, subtype, inner].filter(Boolean).join('/'))
}

function leaveOut(key: string, value: unknown): unknown {
  if (LEFT_OUT.test(key)) return undefined
  const isForeign =
    typeof value === 'string' &&
    ((value.length > MAX_LENGTH && !OUR_WORDS.test(value)) || value.includes('<system-reminder>'))
  return isForeign ? '' : value
}

const COLUMNS = {
  session: 'id, project_id, parent_id, directory, title, time_created, time_updated',
  message: 'id, session_id, time_created, data',
  part: 'id, message_id, session_id, time_created, data',
}

function rowsOf(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true })
  const tables = Object.entries(COLUMNS).map(([table, columns]) => [
    table,
    db
      .prepare(`select ${columns} from ${table} order by id`)
      .all()
      .map((row) => ({
        ...row,
        ...('data' in row ? { data: JSON.parse(String(row.data), leaveOut) } : {}),
      })),
  ])
  db.close()
  return `${JSON.stringify(Object.fromEntries(tables), null, 1)}\n`
}

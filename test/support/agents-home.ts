import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'

const samples = fileURLToPath(new URL('../samples/dialogs/', import.meta.url))

/** A home folder as the agents leave it on a disk, filled from hand-made samples. */
export class AgentsHome {
  readonly home: string
  readonly project: string

  constructor(folder: string, project = 'project') {
    this.home = join(folder, 'home')
    this.project = join(folder, project)
    mkdirSync(this.home, { recursive: true })
    mkdirSync(this.project, { recursive: true })
  }

  /** The environment of a server that looks at this home. */
  get env(): Record<string, string> {
    return {
      HOME: this.home,
      SECRETARY_HOME: join(this.home, '.secretary'),
      SECRETARY_PROJECT: this.project,
    }
  }

  path(...parts: string[]): string {
    return join(this.home, ...parts)
  }

  write(path: string, content: string | Buffer): string {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return path
  }

  sample(name: string): string {
    return readFileSync(join(samples, name), 'utf8').replaceAll('{{project}}', this.project)
  }

  /** Puts a VS Code session under the project's workspace, in any editor's user folder. */
  vscode(sample: string, fileName: string, user = this.path('.config', 'Code', 'User')): string {
    const workspace = join(user, 'workspaceStorage', 'a1b2c3')
    this.write(
      join(workspace, 'workspace.json'),
      JSON.stringify({ folder: pathToFileURL(this.project).href }),
    )
    return this.write(join(workspace, 'chatSessions', fileName), this.sample(`vscode/${sample}`))
  }

  claudeFolder(): string {
    return this.path('.claude', 'projects', this.project.replace(/[^a-zA-Z0-9-]/g, '-'))
  }

  claude(fileName = 'cc-main.jsonl', content = this.sample('claude-code/session.jsonl')): string {
    return this.write(join(this.claudeFolder(), fileName), content)
  }

  codex(
    sample = 'rollout.jsonl',
    name = 'rollout-2026-01-16T08-00-00-0199aaaa-1111-7222-8333-444455556666.jsonl',
  ): string {
    return this.write(
      this.path('.codex', 'sessions', '2026', '01', '16', name),
      this.sample(`codex/${sample}`),
    )
  }

  /** Under the hash of the project's path for the document, under a short name with a note for the log. */
  gemini(sample: 'session.json' | 'session.jsonl' | 'deeds.json' | 'deeds.jsonl'): string {
    const hashed = createHash('sha256').update(this.project).digest('hex')
    const folder = this.path('.gemini', 'tmp', sample.endsWith('.json') ? hashed : 'short-name')
    if (sample !== 'session.json') this.write(join(folder, '.project_root'), this.project)
    return this.write(
      join(folder, 'chats', `session-2026-01-17T09-00-${sample.replace('session', 'abc')}`),
      this.sample(`gemini-cli/${sample}`),
    )
  }

  copilotCli(sample = 'events.jsonl', session = 'copilot-cli-1'): string {
    return this.write(
      this.path('.copilot', 'session-state', session, 'events.jsonl'),
      this.sample(`copilot-cli/${sample}`),
    )
  }

  cline(sample = 'ui_messages.json'): string {
    const tasks = this.path(
      '.config',
      'Code',
      'User',
      'globalStorage',
      'saoudrizwan.claude-dev',
      'tasks',
    )
    return this.write(
      join(tasks, '1768800000000', 'ui_messages.json'),
      this.sample(`cline/${sample}`),
    )
  }

  cursor(sample = 'rows.json'): string {
    const path = this.path('.config', 'Cursor', 'User', 'globalStorage', 'state.vscdb')
    const rows = Object.entries(
      JSON.parse(this.sample(`cursor/${sample}`)) as Record<string, unknown>,
    )
    return this.database(path, (db) => {
      db.exec('create table cursorDiskKV (key text unique on conflict replace, value blob)')
      const insert = db.prepare('insert into cursorDiskKV values (?, ?)')
      for (const [key, value] of rows)
        insert.run(key, typeof value === 'string' ? value : JSON.stringify(value))
    })
  }

  opencode(sample = 'rows.json'): string {
    const path = this.path('.local', 'share', 'opencode', 'opencode.db')
    return this.tables(path, this.sample(`opencode/${sample}`))
  }

  /** The tables of opencode and of what grew from it. */
  tables(path: string, json: string): string {
    const tables = JSON.parse(json) as Record<string, Record<string, unknown>[]>
    return this.database(path, (db) => {
      db.exec(
        'create table session (id text primary key, project_id text, parent_id text, directory text, title text, time_created integer, time_updated integer)',
      )
      db.exec(
        'create table message (id text primary key, session_id text, time_created integer, data text)',
      )
      db.exec(
        'create table part (id text primary key, message_id text, session_id text, time_created integer, data text)',
      )
      for (const [table, rows] of Object.entries(tables)) {
        for (const row of rows) {
          const values = Object.values(row).map((value) =>
            value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
          )
          db.prepare(`insert into ${table} values (${values.map(() => '?').join(', ')})`).run(
            ...(values as (string | number | null)[]),
          )
        }
      }
    })
  }

  opencodeFiles(): void {
    const files = JSON.parse(this.sample('opencode/files.json')) as Record<string, unknown>
    for (const [path, value] of Object.entries(files))
      this.write(this.path('.local', 'share', 'opencode', 'storage', path), JSON.stringify(value))
  }

  /** Puts what the real agent wrote, from `npm run test:agents` with SECRETARY_SAMPLES. */
  real(agent: string): void {
    const root = join(samples, agent, 'real')
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = relative(samples, join(entry.parentPath, entry.name))
      const path = this.path(relative(join(agent, 'real'), file))
      if (file.endsWith('.db.json')) this.tables(path.slice(0, -'.json'.length), this.sample(file))
      else this.write(path, this.sample(file).replaceAll('{{home}}', this.home))
    }
  }

  specstory(name = '2026-01-16_08-00Z-a-page'): void {
    const page = this.sample(`specstory/${name}.md`)
    this.write(`${this.project}/.specstory/history/${name}.md`, page)
  }

  database(path: string, fill: (db: DatabaseSyncInstance) => void): string {
    mkdirSync(dirname(path), { recursive: true })
    const db = new DatabaseSync(path)
    fill(db)
    db.close()
    return path
  }

  everything(): void {
    this.claude()
    this.vscode('log.jsonl', 'vs-log.jsonl')
    this.vscode('v3.json', 'vs-v3.json')
    this.vscode('v2.json', 'vs-v2.json', this.path('.config', 'Code - Insiders', 'User'))
    this.vscode('v1.json', 'vs-v1.json', this.path('.config', 'VSCodium', 'User'))
    this.codex()
    this.codex(
      'older.jsonl',
      'rollout-2025-05-01T08-00-00-0188bbbb-1111-7222-8333-444455556666.jsonl',
    )
    this.gemini('session.json')
    this.gemini('session.jsonl')
    this.copilotCli()
    this.cline()
    this.cursor()
    this.opencode()
    this.opencodeFiles()
  }
}

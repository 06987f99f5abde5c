import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { objectIn, textOf } from '@secretary-mcp/transcripts/reading/loose-json.ts'

const MAX_ANCESTORS = 12
/** What stands between an agent and the program that it starts. */
const BETWEEN = /^-?(\w*sh|env|npx|npm\b.*)$/

/** Agents that say in other ways which dialog is theirs; a variable that they inherited is another agent's. */
const OTHERS = /claude|codex|gemini|opencode|cursor|cline|visual studio code/i

interface Settings {
  readonly home: string
  readonly userHome: string
  readonly claudeConfig?: string
  readonly copilotSession?: string
  readonly qwenSession?: string
}

/** Where a hook notes, under the process id of its agent, which dialog that agent is in. */
export const notesFolder = (home: string) => join(home, 'running')

/**
 * The dialog of the agent that started this process. Claude Code notes its dialog under its process id, also the new one after
 * `/clear`; our own hooks do so for other agents; Copilot CLI and Qwen Code set a variable. Looked up for every call, so a note
 * is read again only once it was rewritten.
 */
export function ownDialog(settings: Settings) {
  const { home, userHome, claudeConfig, copilotSession, qwenSession } = settings
  const claudes = notesIn(join(claudeConfig ?? join(userHome, '.claude'), 'sessions'))
  const ours = notesIn(notesFolder(home))
  let line: readonly number[] | undefined
  let agent: number | undefined
  return (client?: string): string | undefined => {
    line ??= ancestors()
    agent ??= agentProcess(line)
    // Between us and the agent there may be a shell or npx; another agent there is not the caller.
    const isDirect = client !== undefined && !/claude/i.test(client)
    for (const pid of isDirect ? [process.ppid] : line) {
      const id = claudes(pid)
      if (id) return id
    }
    const noted = agent === undefined ? undefined : ours(agent)
    if (client === undefined) return copilotSession ?? qwenSession ?? noted
    if (/qwen/i.test(client) && qwenSession) return qwenSession
    return noted ?? (OTHERS.test(client) ? undefined : copilotSession)
  }
}

/** The dialogs that a folder's notes name, by process id. */
function notesIn(folder: string): (pid: number) => string | undefined {
  const known = new Map<number, { readonly stamp: string; readonly id: string | undefined }>()
  return (pid) => {
    const stamp = stampOf(join(folder, `${pid}.json`))
    if (stamp === undefined) return undefined
    const last = known.get(pid)
    if (last?.stamp === stamp) return last.id
    const id = notedSession(folder, pid)
    known.set(pid, { stamp, id })
    return id
  }
}

/** A folder that cannot be looked into has no notes. */
function stampOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found && `${found.ino} ${found.size} ${found.mtimeMs}`
  } catch {
    return undefined
  }
}

function notedSession(folder: string, pid: number): string | undefined {
  try {
    const { sessionId, procStart } = objectIn(readFileSync(join(folder, `${pid}.json`), 'utf8'))
    // A note that a crash left behind may name a process that is no longer that one.
    const started = procStart === undefined ? undefined : processOf(pid)?.start
    return started !== undefined && started !== String(procStart) ? undefined : textOf(sessionId)
  } catch {
    return undefined
  }
}

interface Process {
  readonly name: string
  readonly parent: number
  /** When it started, where the system says: a number that no later process with the same id has. */
  readonly start?: string
}

/** The processes above this one, the nearest first. */
export function ancestors(): number[] {
  const line: number[] = []
  let pid = process.ppid
  while (pid > 1 && line.length < MAX_ANCESTORS) {
    line.push(pid)
    pid = processOf(pid)?.parent ?? 0
  }
  return line
}

/** The agent that started this process, itself or through a shell or npx. */
export function agentProcess(line: readonly number[]): number | undefined {
  return line.find((pid) => !BETWEEN.test(processOf(pid)?.name ?? ''))
}

export function processOf(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    return {
      name: stat.slice(stat.indexOf('(') + 1, end),
      parent: Number(fields[1]),
      start: fields[19],
    }
  } catch {
    return process.platform === 'win32' ? undefined : listedProcess(pid)
  }
}

/** Where the system has no file for a process. */
function listedProcess(pid: number): Process | undefined {
  try {
    const row = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], {
      stdio: 'pipe',
      encoding: 'utf8',
    }).trim()
    const [parent = '', ...name] = row.split(/\s+/)
    return { name: name.join(' ').replace(/^.*\//, ''), parent: Number(parent) }
  } catch {
    return undefined
  }
}

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { objectIn, textOf } from './reading/loose-json.ts'

const MOST_ANCESTORS = 12
/** Agents that say in other ways which dialog is theirs; a variable that they inherited is another agent's. */
const OTHERS = /claude|codex|gemini|opencode|cursor|cline|visual studio code/i

interface Settings {
  readonly userHome: string
  readonly claudeConfig?: string
  readonly copilotSession?: string
  readonly qwenSession?: string
}

/**
 * The dialog of the agent that started this process. Claude Code notes its dialog under its process id, also the new one after
 * `/clear`; Copilot CLI and Qwen Code set a variable. Looked up for every call, so a note is read again only once it was rewritten.
 */
export function ownDialog({ userHome, claudeConfig, copilotSession, qwenSession }: Settings) {
  const notes = join(claudeConfig ?? join(userHome, '.claude'), 'sessions')
  let ancestors: readonly number[] | undefined
  const known = new Map<number, { readonly stamp: string; readonly id: string | undefined }>()
  const noted = (pid: number) => {
    const found = statSync(join(notes, `${pid}.json`), { throwIfNoEntry: false })
    if (!found) return undefined
    const stamp = `${found.ino} ${found.size} ${found.mtimeMs}`
    const last = known.get(pid)
    if (last?.stamp === stamp) return last.id
    const id = notedSession(notes, pid)
    known.set(pid, { stamp, id })
    return id
  }
  return (client?: string): string | undefined => {
    // Between us and the agent there may be a shell or npx; another agent there is not the caller.
    const isDirect = client !== undefined && !/claude/i.test(client)
    ancestors ??= ancestorsOf(process.ppid)
    for (const pid of isDirect ? [process.ppid] : ancestors) {
      const id = noted(pid)
      if (id) return id
    }
    if (client === undefined) return copilotSession ?? qwenSession
    if (/qwen/i.test(client)) return qwenSession
    return OTHERS.test(client) ? undefined : copilotSession
  }
}

function notedSession(folder: string, pid: number): string | undefined {
  try {
    const { sessionId, procStart } = objectIn(readFileSync(join(folder, `${pid}.json`), 'utf8'))
    // A note that a crash left behind may name a process that is no longer that one.
    const started = procStart === undefined ? undefined : statOf(pid)?.[19]
    return started !== undefined && started !== String(procStart) ? undefined : textOf(sessionId)
  } catch {
    return undefined
  }
}

function ancestorsOf(first: number): number[] {
  const line: number[] = []
  for (let pid = first; pid > 1 && line.length < MOST_ANCESTORS; pid = parentOf(pid)) line.push(pid)
  return line
}

function parentOf(pid: number): number {
  const parent = statOf(pid)?.[1]
  if (parent !== undefined) return Number(parent)
  if (process.platform === 'win32') return 0
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { stdio: 'pipe' }))
  } catch {
    return 0
  }
}

/** The fields after the name of a process, where the system has them in a file. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

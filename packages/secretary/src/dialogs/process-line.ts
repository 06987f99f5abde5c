import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const MOST_ANCESTORS = 12
/** What stands between an agent and the program that it starts. */
const BETWEEN = /^-?(\w*sh|env|npx|npm\b.*)$/

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
  while (pid > 1 && line.length < MOST_ANCESTORS) {
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

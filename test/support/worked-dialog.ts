import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentsHome } from './agents-home.ts'

type Act =
  | { readonly write: string; readonly text: string }
  | { readonly edit: string; readonly from: string; readonly to: string }
  | { readonly run: string; readonly output?: string; readonly fails?: boolean }

export interface WorkedTurn {
  readonly ask: string
  readonly acts?: readonly Act[]
  readonly says?: string
  /** How long before the last turn it was asked. */
  readonly minutesAgo: number
}

/** A dialog with Claude Code in which something was done, as it is on the disk; its last turn began at `lastAt`. */
export function keepWorkedDialog(
  home: AgentsHome,
  sessionId: string,
  turns: readonly WorkedTurn[],
  {
    lastAt,
    summary,
    usage,
  }: {
    readonly lastAt: number
    readonly summary?: string
    /** What each closing answer took, as Claude Code writes it: on every line of the answer. */
    readonly usage?: object
  },
): string {
  const common = { cwd: home.project, sessionId, version: '2.1.0', isSidechain: false }
  const lines: object[] = summary ? [{ type: 'summary', summary, leafUuid: 'u0' }] : []
  for (const [place, { ask, acts = [], says, minutesAgo }] of turns.entries()) {
    let at = lastAt - minutesAgo * 60_000
    const add = (type: string, message: object) => {
      const timestamp = new Date(at).toISOString()
      lines.push({
        ...common,
        type,
        userType: 'external',
        uuid: `${place}-${at}`,
        timestamp,
        message,
      })
      at += 1_000
    }
    add('user', { role: 'user', content: ask })
    for (const [step, act] of acts.entries()) {
      const id = `${sessionId}-${place}-${step}`
      add('assistant', {
        id: `m${id}`,
        role: 'assistant',
        content: [{ type: 'tool_use', id, ...callOf(home, act) }],
        stop_reason: null,
      })
      add('user', {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, ...endOf(act) }],
      })
    }
    if (says !== undefined) {
      const answer = (content: object) => ({
        id: `m${sessionId}-${place}`,
        role: 'assistant',
        model: 'claude-opus-4-5',
        content: [content],
        stop_reason: 'end_turn',
        usage,
      })
      if (usage) add('assistant', answer({ type: 'thinking', thinking: 'Hm.' }))
      add('assistant', answer({ type: 'text', text: says }))
    }
  }
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const path = home.claude(`${sessionId}.jsonl`, text)
  utimesSync(path, lastAt / 1000, lastAt / 1000)
  return path
}

function callOf({ project }: AgentsHome, act: Act): { name: string; input: object } {
  if ('write' in act)
    return { name: 'Write', input: { file_path: join(project, act.write), content: act.text } }
  if ('edit' in act) {
    const input = { file_path: join(project, act.edit), old_string: act.from, new_string: act.to }
    return { name: 'Edit', input }
  }
  return { name: 'Bash', input: { command: act.run } }
}

function endOf(act: Act): { content: string; is_error?: boolean } {
  if (!('run' in act)) return { content: 'The file has been updated.' }
  if (act.fails) return { content: `Exit code 1\n${act.output ?? ''}`, is_error: true }
  return { content: act.output ?? 'ok' }
}

// Dialogs as three agents would leave them on a disk: tool results are most of the bytes, as in real transcripts.
import { once } from 'node:events'
import { createWriteStream, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Seven of ten are Claude Code's, two are Codex's, one is a VS Code log. Returns the bytes written. */
export async function generateDialogs(place, count, size) {
  let total = 0
  for (let n = 0; n < count; n++) {
    const { path, lines } = dialog(place, n, size)
    mkdirSync(dirname(path), { recursive: true })
    const file = createWriteStream(path)
    for (const line of lines)
      if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain')
    file.end()
    await once(file, 'finish')
    total += statSync(path).size
  }
  return total
}

export function sessionOf(n) {
  return `${['cc', 'cc', 'cc', 'cc', 'cc', 'cc', 'cc', 'cx', 'cx', 'vs'][n % 10]}-${n}`
}

export function claudeFolder({ home, project }) {
  return join(home, '.claude', 'projects', project.replace(/[^a-zA-Z0-9-]/g, '-'))
}

function dialog(place, n, size) {
  const id = sessionOf(n)
  if (id.startsWith('cc'))
    return { path: join(claudeFolder(place), `${id}.jsonl`), lines: claude(place, n, size) }
  if (id.startsWith('cx')) {
    return {
      path: join(place.home, '.codex', 'sessions', '2026', '01', '16', `rollout-${id}.jsonl`),
      lines: codex(place, n, size),
    }
  }
  const workspace = join(place.home, '.config', 'Code', 'User', 'workspaceStorage', id)
  mkdirSync(workspace, { recursive: true })
  writeFileSync(
    join(workspace, 'workspace.json'),
    JSON.stringify({ folder: `file://${place.project}` }),
  )
  return { path: join(workspace, 'chatSessions', `${id}.jsonl`), lines: vscode(n, size) }
}

function* claude({ project: cwd }, n, size) {
  const about = { cwd, sessionId: sessionOf(n), isSidechain: false }
  const content = 'const answer = compute(input) // "quoted" \n'.repeat(120)
  for (let written = 0, turn = 1; written < size; turn++) {
    const timestamp = time(n, turn)
    yield { ...about, type: 'user', message: { role: 'user', content: asked(n, turn) }, timestamp }
    for (let step = 0; step < 8; step++) {
      const id = `t-${turn}-${step}`
      const call = { type: 'tool_use', id, ...claudeCall(n, turn, step) }
      yield {
        ...about,
        type: 'assistant',
        message: { role: 'assistant', content: [call], stop_reason: 'tool_use' },
        timestamp,
      }
      const is_error = step === 7 && turn % 3 === 0
      const result = { type: 'tool_result', tool_use_id: id, content, is_error }
      yield { ...about, type: 'user', message: { role: 'user', content: [result] }, timestamp }
      written += content.length * 1.1 + 600
    }
    const answer = { type: 'text', text: `Module ${n % 50} is changed.` }
    yield {
      ...about,
      type: 'assistant',
      message: { role: 'assistant', content: [answer], stop_reason: 'end_turn' },
      timestamp,
    }
  }
}

/** Mostly looking around; then one edit and one test run for each request. */
function claudeCall(n, turn, step) {
  if (step === 6)
    return {
      name: 'Edit',
      input: {
        file_path: `src/module-${n % 50}.ts`,
        old_string: 'return before',
        new_string: `  const part${turn} = compute(${n}, ${turn})\n  return part${turn}\n`,
      },
    }
  if (step === 7) return { name: 'Bash', input: { command: `npm test -- module-${n % 50}` } }
  return { name: 'Read', input: { file_path: 'src/a.ts' } }
}

function* codex({ project: cwd }, n, size) {
  yield { timestamp: time(n, 0), type: 'session_meta', payload: { id: sessionOf(n), cwd } }
  const output = 'a line of output\n'.repeat(300)
  for (let written = 0, turn = 1; written < size; turn++) {
    const timestamp = time(n, turn)
    yield {
      timestamp,
      type: 'event_msg',
      payload: { type: 'user_message', message: asked(n, turn) },
    }
    for (let step = 0; step < 8; step++) {
      yield {
        timestamp,
        type: 'response_item',
        payload: { type: 'function_call_output', call_id: `c${step}`, output },
      }
      written += output.length * 1.1
    }
    yield { timestamp, type: 'event_msg', payload: { type: 'agent_message', message: 'Done.' } }
  }
}

function* vscode(n, size) {
  yield {
    kind: 0,
    v: { version: 3, sessionId: sessionOf(n), creationDate: Date.parse(time(n, 0)), requests: [] },
  }
  const value = 'Here is what I changed and why it matters. '.repeat(100)
  for (let written = 0, turn = 0; written < size; turn++) {
    const request = {
      requestId: `r${turn}`,
      timestamp: Date.parse(time(n, turn)),
      message: { text: asked(n, turn + 1) },
    }
    yield {
      kind: 2,
      k: ['requests'],
      v: [{ ...request, response: [{ value }], modelState: { value: 0 } }],
    }
    for (let step = 1; step < 6; step++) {
      yield { kind: 2, k: ['requests', turn, 'response'], v: [{ value }], i: step }
      written += value.length + 60
    }
  }
}

function asked(n, turn) {
  return `Request ${turn} of dialog ${n}: change module ${n % 50} so that it is ${turn % 2 ? 'faster' : 'smaller'}`
}

function time(n, turn) {
  return new Date(Date.UTC(2026, 0, 1) + n * 60_000 + turn * 1000).toISOString()
}

import { describe, expect, it } from 'vitest'
import {
  type DialogsUnderTest,
  dialogsUnderTest,
  line,
  noSignal,
  requestsNow,
} from '../../../../test/support/dialogs-service.ts'

const json = (value: object) => `${JSON.stringify(value)}\n`
const result = (...blocks: object[]) =>
  json({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }, ...blocks] },
    toolUseResult: { type: 'text', file: { content: 'ok' } },
  })
const text = (words: string) => ({ type: 'text', text: words })
const answer = (words: string, more: object = {}) =>
  json({ type: 'assistant', message: { content: [text(words)], stop_reason: 'end_turn' }, ...more })
const queue = (operation: string, content?: string, reason?: string) =>
  json({ type: 'queue-operation', operation, content, reason })

async function requestsIn(...lines: string[]): Promise<unknown[]> {
  const under = dialogsUnderTest()
  under.home.claude('a.jsonl', lines.join(''))
  return requestsNow(under, 'a')
}

async function answersIn(under: DialogsUnderTest): Promise<unknown[]> {
  const dialog = await under.dialogs.require(under.caller, 'a', noSignal)
  const answers: unknown[] = []
  for await (const turn of under.dialogs.texts.turns(dialog)) answers.push(turn.answer)
  return answers
}

it('D12 a session that is stored with the day before its id and without is one dialog', async () => {
  const under = dialogsUnderTest()
  const id = '31111111-1111-4111-8111-111111111111'
  const words = (text: string) => line(text, { cwd: under.home.project })
  under.home.claude(`${id}.jsonl`, words('one'))
  under.home.claude(`2026-01-12-${id}.jsonl`, words('one') + words('two'))
  under.home.claude('2026-01-13-notes.jsonl', words('other'))
  const { value } = await under.dialogs.listDialogs(
    under.caller,
    { everywhere: true, limit: 9, offset: 0 },
    noSignal,
  )
  expect(value?.dialogs.map(({ sessionId }) => sessionId).sort()).toEqual(['2026-01-13-notes', id])
  expect(await requestsNow(under, id)).toEqual(['one', 'two'])
})

describe('D12 what was typed while the agent worked', () => {
  it('counts where it stands beside a tool result', async () => {
    expect(
      await requestsIn(
        line('Sort the list'),
        result(text('by name, please')),
        result({ type: 'text', text: '<system-reminder>The file changed.</system-reminder>' }),
        result({ type: 'image', source: {} }),
        result(text('[Request interrupted by user for tool use]')),
        json({
          type: 'user',
          message: {
            content: [
              { type: 'tool_result', tool_use_id: 't', content: [text('what a tool said')] },
            ],
          },
        }),
        '{ "type": "user", "message": { "content": [ { "tool_use_id": "t", "type": "tool_result", "content": "" }, { "text": "with spaces", "type": "text" } ] } }\n',
      ),
    ).toEqual(['Sort the list', 'by name, please', 'with spaces'])
  })

  it('counts where only the queue kept it, once the agent was given it', async () => {
    expect(
      await requestsIn(
        line('Sort the list'),
        queue('enqueue', '/model'),
        queue('enqueue', 'commit when done'),
        queue('enqueue', '<task-notification>built</task-notification>'),
        queue('enqueue', '{"task_id":"b1","description":"Run the tests","task_type":"local_bash"}'),
        queue('remove'),
        queue('remove'),
        queue('remove'),
        queue('enqueue', 'never given'),
      ),
    ).toEqual(['Sort the list', 'commit when done'])
  })

  it('counts once where the queue and a record both have it', async () => {
    const queued = (prompt: string) =>
      json({ type: 'attachment', attachment: { type: 'queued_command', prompt } })
    expect(
      await requestsIn(
        queue('enqueue', 'Sort the list'),
        queue('dequeue'),
        line('Sort the list'),
        queue('enqueue', 'by name'),
        queue('enqueue', 'and by date'),
        queue('remove', 'by name'),
        queue('remove', 'and by date'),
        queued('by name'),
        queued('and by date'),
        queue('enqueue', '/review  all of it'),
        queue('dequeue'),
        line('<command-name>/review</command-name><command-args>all of it</command-args>'),
        queue('enqueue', 'by size'),
        queue('remove'),
        result(text('by size')),
      ),
    ).toEqual(['Sort the list', 'by name', 'and by date', '/review all of it', 'by size'])
  })

  it('does not count where it was taken back to be changed', async () => {
    expect(
      await requestsIn(
        line('Sort the list'),
        queue('enqueue', 'are yuo there'),
        queue('popAll', 'are yuo there'),
        line('are you there'),
        queue('enqueue', 'cleared'),
        queue('remove', 'cleared', 'cleared_on_cancel'),
        queue('enqueue', 'absorbed'),
        queue('remove', 'absorbed', 'absorbed_mid_turn'),
      ),
    ).toEqual(['Sort the list', 'are you there', 'absorbed'])
  })
})

describe('D12 what nobody typed', () => {
  it('is told by its origin', async () => {
    expect(
      await requestsIn(
        line('typed', { origin: { kind: 'human' }, promptSource: 'typed' }),
        line('from an editor', { origin: { kind: 'human' }, promptSource: 'sdk' }),
        line('a task is done', { origin: { kind: 'task-notification' }, promptSource: 'sdk' }),
        line('go on', { origin: { kind: 'auto-continuation' } }),
        line('wake up', { promptSource: 'system' }),
        line('inner call', { isVirtual: true }),
      ),
    ).toEqual(['typed', 'from an editor'])
  })

  it('is a skill, what a command expands to, a notification, or a repeated message', async () => {
    expect(
      await requestsIn(
        line('<command-message>tidy</command-message>\n<command-name>/tidy</command-name>'),
        json({ type: 'user', isMeta: true, message: { content: [text('Tidy up: …')] } }),
        json({
          type: 'user',
          isMeta: true,
          sourceToolUseID: 't1',
          message: { content: [text('Base directory for this skill: /s')] },
        }),
        line('<task-notification>built</task-notification>'),
        line('<ci-monitor-event>CI failed</ci-monitor-event>'),
        json({
          type: 'api-request-blob',
          hash: 'h',
          messages: [{ role: 'user', content: 'Sort the list' }],
        }),
      ),
    ).toEqual(['/tidy'])
  })

  it('is the command that cleared the dialog before', async () => {
    const cleared = [
      json({ type: 'user', isMeta: true, message: { content: 'Caveat: The messages below' } }),
      line('<command-name>/clear</command-name>\n<command-args></command-args>'),
      line('<local-command-stdout></local-command-stdout>'),
    ]
    expect(await requestsIn(...cleared, line('Start afresh'))).toEqual(['Start afresh'])
  })

  it('is a message of another agent, the team lead included', async () => {
    const asked = '<teammate-message teammate_id="team-lead">\nFix the lint\n</teammate-message>'
    const told = '<teammate-message teammate_id="tester" color="red">done</teammate-message>'
    expect(await requestsIn(line('Lead a team'), line(asked), line(told))).toEqual(['Lead a team'])
    expect(await requestsIn(line(asked), line(told))).toEqual([])
  })

  it('is a command to the program itself, or a shell command of the person', async () => {
    const command = (name: string, args = '') =>
      line(
        `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args>${args}</command-args>`,
      )
    const asked = [
      command('exit'),
      command('ide'),
      command('model'),
      command('deploy', 'to staging'),
    ]
    const shell = [line('<bash-input>git pull</bash-input>'), line('<bash-stdout>ok</bash-stdout>')]
    expect(await requestsIn(...asked, ...shell)).toEqual(['/deploy to staging'])
  })
})

describe('D12 words that the person typed into a tool’s result', () => {
  const rejected =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."
  const result = (content: string, toolUseResult: unknown = `Error: ${content}`) =>
    line([{ type: 'tool_result', tool_use_id: 't1', content, is_error: true }] as never, {
      toolUseResult,
    })

  it('are requests when the person comments on a rejected call', async () => {
    const comment = `${rejected} To tell you how to proceed, the user said:\nuse the existing helper`
    const requests = await requestsIn(line('Add a page'), result(comment), result(rejected))
    expect(requests).toEqual(['Add a page', 'use the existing helper'])
  })

  it('are not there when the program writes in the place of the comment', async () => {
    const clarify = `${rejected} To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n    This means …`
    expect(await requestsIn(line('Add a page'), result(clarify))).toEqual(['Add a page'])
  })

  it('are answers to the agent’s questions, with several of them numbered', async () => {
    const said =
      'User has answered your questions: "Tabs?"="No, spaces", "Which?"="Two". You can now'
    const recorded = { questions: [], answers: { 'Tabs?': 'No, spaces', 'Which?': 'Two' } }
    const one = 'User has answered your questions: "Push it?"="Not yet". You can now continue'
    expect(await requestsIn(line('Format it'), result(said, recorded), result(one))).toEqual([
      'Format it',
      '1. No, spaces\n2. Two',
      'Not yet',
    ])
  })

  it('are found in a record that is longer than a glance', async () => {
    const long = `${rejected} To tell you how to proceed, the user said:\nlook at this\n${'x'.repeat(50_000)}`
    expect((await requestsIn(line('Go'), result(long)))[1]).toContain('look at this')
  })
})

describe('D12 what was taken back', () => {
  const chained = (uuid: string, parentUuid: string | null) => ({ uuid, parentUuid })

  it('does not count: of two requests after the same record, the later goes on', async () => {
    const under = dialogsUnderTest()
    under.home.claude(
      'a.jsonl',
      [
        line('Sort the list', chained('u1', null)),
        answer('Sorted.', chained('a1', 'u1')),
        line('by nmae', chained('u2', 'a1')),
        answer('What is nmae?', chained('a2', 'u2')),
        line('a typo', chained('u3', 'a2')),
        answer('I see.', chained('a3', 'u3')),
        line('by name', chained('u4', 'a1')),
        answer('By name now.', chained('a4', 'u4')),
      ].join(''),
    )
    expect(await requestsNow(under, 'a')).toEqual(['Sort the list', 'by name'])
    expect(await answersIn(under)).toEqual(['Sorted.', 'By name now.'])
  })

  it('does not count where it was the very first request', async () => {
    expect(
      await requestsIn(
        line('Srot', chained('u1', null)),
        answer('Pardon?', chained('a1', 'u1')),
        line('Sort', chained('u2', null)),
      ),
    ).toEqual(['Sort'])
  })

  it('stays where nothing says which record came before', async () => {
    expect(
      await requestsIn(line('one', { parentUuid: null }), line('two', { parentUuid: null })),
    ).toEqual(['one', 'two'])
  })
})

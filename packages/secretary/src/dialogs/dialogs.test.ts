import type { Dialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import type { TurnsWanted } from '@secretary-mcp/transcripts/source.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import { describe, expect, it } from 'vitest'
import { dialogsUnderTest, noSignal } from '../../../../test/support/dialogs-service.ts'

describe('requests', () => {
  it('are listed in pages', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    home.claude()
    const { value } = await dialogs.listRequests(caller, { limit: 2, offset: 1 }, noSignal)
    expect(value).toMatchObject({ totalRequests: 4, more: 'Call again with offset 3' })
    expect(value?.requests.map(({ index, preview }) => `${index} ${preview}`)).toEqual([
      '2 /review the last commit',
      '3 Also log out other devices; the body has "tool_use_id" in it',
    ])
  })

  it('that are bare replies come with their question, wherever they are read', async () => {
    const { home, dialogs, caller } = dialogsUnderTest()
    const said = (type: string, text: string) =>
      `${JSON.stringify({
        ...{ type, cwd: home.project },
        message: { role: type, content: [{ type: 'text', text }] },
      })}\n`
    const question = 'Shall I also migrate the stored sessions?'
    home.claude(
      'a.jsonl',
      [
        said('user', 'Move the login to tokens'),
        said('assistant', `${'A long report of the work. '.repeat(1000)}\n${question}`),
        said('user', 'yes, all of them please'),
        said('assistant', 'Shall I delete the table?'),
        said('user', 'go ahead'),
      ].join(''),
    )
    const listed = await dialogs.listRequests(caller, { limit: 9, offset: 0 }, noSignal)
    const wanted = [undefined, question, 'Shall I delete the table?']
    expect(listed.value?.requests.map(({ answers }) => answers)).toEqual(wanted)
    const [turns, fed]: [unknown[], unknown[]] = [[], []]
    const dialog = await dialogs.require(caller, 'a', noSignal)
    for await (const { answers } of dialogs.texts.turns(dialog)) turns.push(answers)
    expect(turns).toEqual(wanted)
    for await (const { answers } of dialogs.turnsOfProject(caller, 0, noSignal)) fed.push(answers)
    expect(fed).toEqual(wanted)
    const search = { query: 'all of them please', limit: 1 }
    const found = await dialogs.searchRequests(caller, search, noSignal)
    expect(found.value?.results[0]).toMatchObject({ index: 2, answers: question })
    const browsed = await dialogs.searchBrowsed(caller, search, noSignal)
    expect(browsed.results[0]).toMatchObject({ index: 2, answers: question })
  })

  it('are found in every dialog of the project by their words, and by meaning where the engine is there', async () => {
    const under = dialogsUnderTest()
    under.home.everything()
    const { value } = await under.dialogs.searchRequests(
      under.caller,
      { query: 'dark theme', limit: 5 },
      noSignal,
    )
    expect(value?.results[0]).toMatchObject({ sessionId: 'vs-log', index: 1, source: 'vscode' })
    const engine = { search: async () => [{ sessionId: 'ses_1', position: 2, score: 0.9 }] }
    const meaning = await under
      .again({ search: engine })
      .searchRequests(under.caller, { query: 'ttl', limit: 5 }, noSignal)
    expect(meaning.value?.results).toEqual([
      expect.objectContaining({
        sessionId: 'ses_1',
        index: 2,
        request: 'For an hour only',
        score: 0.9,
      }),
    ])
  })

  it('reach the search engine with the answers, from every source', async () => {
    const under = dialogsUnderTest()
    under.home.everything()
    const said = new Map<string, string | undefined>()
    for await (const turn of under.dialogs.turnsOfProject(under.caller, 0, noSignal))
      said.set(
        `${turn.source} ${turn.sessionId} ${turn.position}: ${turn.request.slice(0, 20)}`,
        turn.answer,
      )
    expect(Object.fromEntries(said)).toMatchObject({
      'claude-code cc-main 1: Let people log in wi':
        'Passkeys work now; the password form is untouched.',
      'vscode vs-log 1: Add a dark theme to ': 'The theme is in `settings.css`.',
      'vscode vs-v3 1: Why is this test fla': 'It reads the clock.',
      'codex 0199aaaa-1111-7222-8333-444455556666 1: Port the parser to R':
        'The parser is in Rust now.',
      'gemini-cli gem-json 1: Draw the module grap': 'Here it is.',
      'gemini-cli gem-jsonl 1: Rename the flag': 'Renamed.',
      'copilot-cli copilot-cli-1 1: Why does CI fail?': 'A secret is missing.',
      'cline 1768800000000 2: Make it blue': 'It is blue.',
      'cursor cur-1 1: Retry the upload thr': 'It retries now.',
      'opencode ses_1 1: Cache the answers': 'They are cached.',
      'opencode ses_old 1: Count the words': 'There are 12.',
    })
    const later: unknown[] = []
    for await (const turn of under.dialogs.turnsOfProject(
      under.caller,
      (await under.dialogs.latestChange(under.caller, noSignal)) + 1,
      noSignal,
    ))
      later.push(turn)
    expect(later).toEqual([])
  })

  it('are read in part where a part is wanted, from every source, with the length of an answer that was cut', async () => {
    const under = dialogsUnderTest()
    under.home.everything()
    for (const agent of ['cline-cli', 'continue', 'droid', 'kilo', 'kimi', 'pi', 'qwen-code'])
      under.home.real(agent)
    under.home.specstory()
    const all = await under.dialogs.ofProject(under.caller, noSignal)
    const read = async (dialog: Dialog, wanted?: TurnsWanted) => {
      const turns: Turn[] = []
      for await (const turn of under.dialogs.texts.turns(dialog, wanted)) turns.push(turn)
      return turns
    }
    const sources = new Set<string>()
    for (const dialog of all) {
      const whole = await read(dialog)
      expect(whole.map(({ position }) => position)).toEqual(
        (await under.dialogs.texts.marks(dialog)).map((_, place) => place + 1),
      )
      for (const { position, answer } of whole) {
        const [turn, ...more] = await read(dialog, {
          from: position,
          to: position,
          longestAnswer: 2,
        })
        expect(more).toEqual([])
        expect(turn).toMatchObject({ position, request: whole[position - 1]?.request })
        expect(turn?.answer).toBe(answer?.slice(0, 2))
        if (answer) expect(turn?.answerLength).toBe(answer.length)
        if (answer) sources.add(dialog.source)
      }
      expect(await read(dialog, { from: whole.length + 1 })).toEqual([])
    }
    expect([...sources].sort()).toEqual([...SOURCE_NAMES].sort())
  })
})

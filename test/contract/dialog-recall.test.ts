import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { connect } from '../support/setups.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const tool = (name: string) => `copilot_chat_secretary_${name}`

describe('recall after a compaction', () => {
  const original =
    'Build an importer for bank statements.\nIt must never lose a line, and it must say which file a line came from.'
  const latest =
    'Now handle statements in Latin-1.\nKeep "UTF-8" as the default — and add a test for ÄÖÜ.'

  it('gives back the original request and the latest one word for word, within the budget, with open tasks', async () => {
    const home = new AgentsHome(temporaryFolder())
    const about = { cwd: home.project, sessionId: 'long', isSidechain: false }
    const said: object[] = [{ type: 'user', message: { role: 'user', content: original } }]
    const work = (turn: number) => {
      const id = `t${turn}`
      said.push(
        {
          type: 'assistant',
          message: {
            content: [{ type: 'tool_use', id, name: 'Bash', input: {} }],
            stop_reason: 'tool_use',
          },
        },
        {
          type: 'user',
          message: {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(3000) }],
          },
        },
        {
          type: 'assistant',
          message: {
            content: [{ type: 'text', text: `Step ${turn} is done.` }],
            stop_reason: 'end_turn',
          },
        },
      )
    }
    const ask = (text: string) =>
      said.push({ type: 'user', message: { role: 'user', content: text } })
    for (let turn = 2; turn <= 60; turn++) {
      work(turn)
      ask(
        `Request ${turn}: improve the parser for the statements of bank number ${turn}, as we said`,
      )
    }
    said.push(
      { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' },
      {
        type: 'user',
        isCompactSummary: true,
        message: { content: 'This session is being continued from a previous conversation. …' },
      },
    )
    for (let turn = 61; turn <= 80; turn++) {
      work(turn)
      ask(turn === 80 ? latest : `Request ${turn}: another small change`)
    }
    home.claude(
      'long.jsonl',
      said.map((line) => `${JSON.stringify({ ...about, ...line })}\n`).join(''),
    )

    const agent = await connect({ env: home.env, clientName: 'claude-code' })
    await agent.call('add_task', { title: 'Write the manual' })
    const elsewhere = await connect({
      env: { ...home.env, SECRETARY_PROJECT: temporaryFolder() },
    })
    await elsewhere.call('add_task', { title: 'Paint the fence of another project' })
    await elsewhere.close()
    for (const budget of [undefined, 400, 4000]) {
      const { body, result } = await agent.call(tool('recall'), budget ? { budget } : {})
      expect(body).toMatchObject({
        success: true,
        sessionId: 'long',
        totalRequests: 80,
        firstRequest: { index: 1, request: original },
      })
      expect((body.latestRequests as object[]).at(-1)).toMatchObject({ index: 80, request: latest })
      expect(body.openTasks).toEqual(['1: Write the manual'])
      const [content] = result.content
      expect(countTokens(content?.type === 'text' ? content.text : '')).toBeLessThanOrEqual(
        budget ?? 1500,
      )
      const others = (body.otherRequests ?? []) as string[]
      const full = body.latestRequests as object[]
      if (budget !== 4000)
        expect(body.leftOut).toContainEqual(expect.stringMatching(/^requests 2–\d+: get_request$/))
      else expect(1 + others.length + full.length).toBe(80)
    }
    await agent.close()
  })

  it('pinned words of the person come first, until they are unpinned', async () => {
    const home = new AgentsHome(temporaryFolder())
    const about = { cwd: home.project, sessionId: 'pins', timestamp: '2026-01-15T10:00:00Z' }
    const said = ['Build it. From now on use spaces, always.', 'tabs after all']
    home.claude(
      'pins.jsonl',
      said
        .map((content) => ({ ...about, type: 'user', message: { role: 'user', content } }))
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    const agent = await connect({ env: home.env, clientName: 'claude-code' })
    const pin = async (args: Record<string, unknown>) =>
      (await agent.call(tool('pin_request'), args)).body
    const pinned = async () => (await agent.call(tool('recall'))).body.pinned
    expect(await pin({ index: 1, text: 'From now on use spaces, always.' })).toMatchObject({
      success: true,
      pin: { text: 'From now on use spaces, always.', sessionId: 'pins', index: 1 },
    })
    expect(await pinned()).toEqual([
      expect.stringMatching(
        /^From now on use spaces, always\. \(pinned \d{4}-\d\d-\d\d, request 1 of/,
      ),
    ])
    const { pin: later, replaced } = await pin({})
    expect([(later as { text: string }).text, (replaced as object[]).length]).toEqual([
      'tabs after all',
      1,
    ])
    await agent.call(tool('unpin_request'), { id: (later as { id: number }).id })
    expect(await pinned()).toBeUndefined()
    await agent.close()
  })

  it('nothing can be pinned that the person did not type', async () => {
    const home = new AgentsHome(temporaryFolder())
    const plan = 'Implement the following plan:\n\n# Plan\n\nAlways push to main.'
    const record = { cwd: home.project, type: 'user', message: { role: 'user', content: plan } }
    home.claude('plan.jsonl', `${JSON.stringify({ ...record, sessionId: 'plan' })}\n`)
    const agent = await connect({ env: home.env, clientName: 'claude-code' })
    for (const args of [{}, { text: 'Always push to main.' }, { text: 'I never said this' }])
      expect((await agent.attempt(tool('pin_request'), args)).body).toMatchObject({
        success: false,
      })
    await agent.close()
  })
})

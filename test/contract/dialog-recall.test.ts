import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import { connectStdio } from '../support/mcp-client.ts'
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

    const agent = await connectStdio({ env: home.env, clientName: 'claude-code' })
    await agent.call('add_task', { title: 'Write the manual' })
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
      expect(body.leftOut).toContainEqual(
        expect.stringMatching(/^requests 2–\d+: copilot_chat_secretary_get_request$/),
      )
    }
    await agent.close()
  })
})

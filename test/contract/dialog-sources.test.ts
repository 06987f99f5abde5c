import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentsHome } from '../support/agents-home.ts'
import type { Connection } from '../support/mcp-client.ts'
import { connect } from '../support/setups.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const tool = (name: string) => `copilot_chat_secretary_${name}`

/** Every source, with what the person typed in it and what they did not. */
const spoken: readonly [source: string, sessionId: string, requests: readonly string[]][] = [
  [
    'claude-code',
    'cc-main',
    [
      'Let people log in with a passkey.\nKeep the password form as it is.',
      '/review the last commit',
      'Also log out other devices; the body has "tool_use_id" in it',
      'and write it down in the changelog',
    ],
  ],
  [
    'vscode',
    'vs-log',
    [
      'Add a dark theme to the settings page, please',
      'Now make the contrast higher',
      'Write a test for it\nand run it 🧪',
    ],
  ],
  ['vscode', 'vs-v3', ['Why is this test flaky? "quoted" \\ and [brackets] {too}', 'Stop']],
  ['vscode', 'vs-v2', ['Explain this regex']],
  ['vscode', 'vs-v1', ['What does this function do?']],
  [
    'codex',
    '0199aaaa-1111-7222-8333-444455556666',
    ['Port the parser to Rust', 'And benchmark it'],
  ],
  ['codex', '0188bbbb-1111-7222-8333-444455556666', ['Say what this repository does']],
  ['gemini-cli', 'gem-json', ['Draw the module graph', 'Without the tests']],
  [
    'gemini-cli',
    'gem-jsonl',
    ['Rename the flag', 'Rename it everywhere', 'Then say so in the docs'],
  ],
  ['copilot-cli', 'copilot-cli-1', ['Why does CI fail?', 'Fix it']],
  ['cline', '1768800000000', ['Build a landing page', 'Make it blue']],
  ['cursor', 'cur-1', ['Retry the upload three times', 'With a growing delay']],
  ['cursor', 'cur-old', ['An older talk']],
  ['opencode', 'ses_1', ['Cache the answers', 'For an hour only']],
  ['opencode', 'ses_old', ['Count the words']],
]

describe('sources', () => {
  let home: AgentsHome
  let agent: Connection

  beforeAll(async () => {
    home = new AgentsHome(temporaryFolder())
    home.everything()
    agent = await connect({ env: home.env })
  })
  afterAll(() => agent.close())

  it.each(spoken)(
    'D12 D13 %s %s gives what the person typed and nothing else',
    async (source, sessionId, requests) => {
      const { body } = await agent.call(tool('list_dialogs'), { source: source, limit: 100 })
      const dialogs = body.dialogs as Record<string, unknown>[]
      expect(dialogs.find((dialog) => dialog.sessionId === sessionId)).toMatchObject({
        source,
        project: home.project,
        requestsCount: requests.length,
        firstRequestPreview: requests[0]?.slice(0, 80),
      })
      for (const [place, request] of requests.entries()) {
        const { body: one } = await agent.call(tool('get_request'), { sessionId, index: place + 1 })
        expect(one).toMatchObject({ success: true, request, totalRequests: requests.length })
        expect(one.timestamp).toBeGreaterThan(1_600_000_000_000)
      }
    },
  )
})

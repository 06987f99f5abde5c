import { claudeCode } from './claude-code.ts'
import { proveAgent, type RealAgent } from './prove-agent.ts'
import { proveTogether } from './prove-together.ts'

// No helper: Droid's run in a daemon that does not start without its maker's service.
const droid: RealAgent = {
  id: 'droid',
  source: 'droid',
  sessions: /^\.factory\/sessions\/.*\.jsonl$/,
  hasHook: true,
  settings: (house) =>
    house.write(
      house.inHome('.factory', 'settings.json'),
      JSON.stringify({
        customModels: [
          {
            id: 'custom:scripted-0',
            index: 0,
            model: 'scripted',
            displayName: 'Scripted',
            baseUrl: `${house.model.url}/v1`,
            apiKey: 'dummy',
            provider: 'generic-chat-completion-api',
            maxOutputTokens: 8000,
          },
        ],
        cloudSessionSync: false,
      }),
    ),
  // It asks its maker for every session that it resumes; here nobody knows anything.
  env: ({ model }) => ({
    FACTORY_API_KEY: 'fk-dummy',
    FACTORY_API_BASE_URL: `${model.url}/maker`,
    FACTORY_TELEMETRY_INGEST_BASE_URL: `${model.url}/maker`,
    FACTORY_DISABLE_KEYRING: '1',
    FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
  }),
  args: (request, isFirst, sessionId) => [
    ...['exec', '-m', 'custom:scripted-0', '--skip-permissions-unsafe'],
    ...(isFirst ? [] : ['--session-id', sessionId]),
    request,
  ],
  // Tools of servers are named only; the agent fetches what it wants to call.
  callTool: (tool, input) => [
    { call: 'ToolSearch', input: { query: tool } },
    { call: tool, input },
  ],
  beforeEdit: (file_path) => [{ call: 'Read', input: { file_path } }],
  edit: (file_path, old_str, new_str) => ({ call: 'Edit', input: { file_path, old_str, new_str } }),
  command: (command) => ({
    call: 'Execute',
    input: { summary: 'Run the tests', command, riskLevel: 'low', riskLevelReason: 'Only tests' },
  }),
}

proveAgent(droid)
proveTogether(droid, claudeCode)

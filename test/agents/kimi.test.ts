import { claudeCode } from './claude-code.ts'
import { proveAgent, type RealAgent } from './prove-agent.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { proveTogether } from './prove-together.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

const kimi: RealAgent = {
  id: 'kimi',
  source: 'kimi',
  isGuessed: true,
  sessions: /^\.kimi-code\/sessions\/.*\/(wire\.jsonl|state\.json)$/,
  settings: (house) =>
    house.write(
      house.inHome('.kimi-code', 'config.toml'),
      `default_model = "scripted"
telemetry = false

[providers.scripted]
type = "openai"
base_url = "${house.model.url}/v1"
api_key = "dummy"

[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 128000
`,
    ),
  env: () => ({ KIMI_CODE_NO_AUTO_UPDATE: '1' }),
  args: (request, isFirst) => [...(isFirst ? [] : ['--continue']), '-p', request],
  beforeEdit: (path) => [{ call: 'Read', input: { path } }],
  edit: (path, old_string, new_string) => ({
    call: 'Edit',
    input: { path, old_string, new_string },
  }),
  command: (command) => ({ call: 'Bash', input: { command, description: 'Run the tests' } }),
  helper: ({ project }) =>
    sendHelper(
      { call: 'Agent', input: { ...writeDocs, subagent_type: 'coder' } },
      { call: 'Write', input: { path: `${project}/docs/greet.md`, content: 'Be polite.\n' } },
      // It asks again where a helper says little.
      { say: 'The file docs/greet.md is written. '.repeat(12) },
    ),
}

proveAgent(kimi)
proveTogether(kimi, claudeCode)
proveInTerminal(kimi, {
  args: ['--auto'],
  asksFirst: /Trust this folder/,
  ready: /Never Ask/,
  stopped: /Interrupted by user/,
  marksInterrupt: true,
  compaction: { command: '/compact', over: /Compaction complete/ },
})

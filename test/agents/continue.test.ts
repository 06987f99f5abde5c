import { claudeCode } from './claude-code.ts'
import { proveAgent, type RealAgent } from './prove-agent.ts'
import { proveTogether } from './prove-together.ts'

const continueCli: RealAgent = {
  id: 'continue',
  source: 'continue',
  sessions: /^\.continue\/sessions\/.*\.json$/,
  hasHook: true,
  isWrittenLate: true,
  // It does not keep how a command ended.
  hidesExits: true,
  settings: (house) =>
    house.write(
      house.inHome('.continue', 'config.yaml'),
      `name: Local
version: 1.0.0
schema: v1
# The model of the tests.
models:
  - name: Scripted
    provider: openai
    model: scripted
    apiBase: ${house.model.url}/v1
    apiKey: dummy
    roles: [chat, edit, apply]
`,
    ),
  env: () => ({ CONTINUE_CLI_ENABLE_TELEMETRY: '0' }),
  args: (request, isFirst) => [...(isFirst ? [] : ['--resume']), '-p', request, '--auto'],
  beforeEdit: (filepath) => [{ call: 'Read', input: { filepath } }],
  edit: (file_path, old_string, new_string) => ({
    call: 'Edit',
    input: { file_path, old_string, new_string },
  }),
  command: (command) => ({ call: 'Bash', input: { command } }),
}

proveAgent(continueCli)
proveTogether(continueCli, claudeCode)

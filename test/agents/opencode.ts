import type { RealAgent } from './prove-agent.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

export const openCode: RealAgent = {
  id: 'opencode',
  source: 'opencode',
  sessions: /opencode\.db$/,
  settings: (house) =>
    house.write(
      house.inHome('.config', 'opencode', 'opencode.json'),
      JSON.stringify({
        model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${house.model.url}/v1`, apiKey: 'dummy' },
            models: { scripted: { name: 'Scripted' } },
          },
        },
      }),
    ),
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  hasHook: true,
  // What is given as an argument it puts in quotes before it stores it.
  args: (_request, isFirst) => ['run', ...(isFirst ? [] : ['--continue'])],
  input: (request) => request,
  beforeEdit: (filePath) => [{ call: 'read', input: { filePath } }],
  edit: (filePath, oldString, newString) => ({
    call: 'edit',
    input: { filePath, oldString, newString },
  }),
  command: (command) => ({ call: 'bash', input: { command, description: 'Run the tests' } }),
  helper: ({ project }) =>
    sendHelper(
      { call: 'task', input: { ...writeDocs, subagent_type: 'general' } },
      { call: 'write', input: { filePath: `${project}/docs/greet.md`, content: 'Be polite.\n' } },
    ),
}

import { claudeCode } from './claude-code.ts'
import { proveAgent, type RealAgent } from './prove-agent.ts'
import { proveEditNotes } from './prove-edit-notes.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { proveTogether } from './prove-together.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

const clineCli: RealAgent = {
  id: 'cline-cli',
  source: 'cline-cli',
  sessions: /^\.cline\/data\/sessions\/.*\.json$/,
  opensAnew: true,
  hasHook: true,
  settings: (house) =>
    house.write(
      house.inHome('.cline', 'data', 'settings', 'providers.json'),
      JSON.stringify({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: {
              provider: 'openai-compatible',
              apiKey: 'dummy',
              model: 'scripted',
              baseUrl: `${house.model.url}/v1`,
            },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    ),
  // Without it a daemon is started that outlives the test.
  env: () => ({ CLINE_SESSION_BACKEND_MODE: 'local' }),
  args: (request) => [request],
  edit: (path, old_text, new_text) => ({ call: 'editor', input: { path, old_text, new_text } }),
  command: (command) => ({ call: 'run_commands', input: { commands: [command] } }),
  helper: ({ project }) =>
    sendHelper(
      {
        call: 'spawn_agent',
        input: { systemPrompt: 'You write documents.', task: writeDocs.prompt },
      },
      { call: 'editor', input: { path: `${project}/docs/greet.md`, new_text: 'Be polite.\n' } },
    ),
}

proveAgent(clineCli)
proveEditNotes(clineCli)
proveTogether(clineCli, claudeCode)
proveInTerminal(clineCli, {
  args: ['-i'],
  // It offers a subscription first.
  asksFirst: /any other key to close/,
  answer: 'Escape',
  ready: /❯ (What can I do|Ask anything)/,
  untyped: /❯ (What can I do|Ask anything)/,
  busy: /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/,
  stopped: /sleep 600\)\n[^❯]*⎿/,
  resuming: (sessionId) => ['--id', sessionId],
  compaction: {
    command: '/compact',
    offered: /❯ \/compact +Com/,
    over: /Context compacted/,
    isTold: true,
  },
})

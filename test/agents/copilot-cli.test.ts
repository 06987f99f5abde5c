import { claudeCode } from './claude-code.ts'
import { patch, patchAdding } from './patch.ts'
import { proveAgent, type RealAgent } from './prove-agent.ts'
import { proveEditNotes } from './prove-edit-notes.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { proveRules } from './prove-rules.ts'
import { proveTogether } from './prove-together.ts'
import { greeting } from './requests.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

const copilotCli: RealAgent = {
  id: 'copilot-cli',
  source: 'copilot-cli',
  sessions: /^\.copilot\/session-state\/.*\/events\.jsonl$/,
  hasHook: true,
  settings: (house) =>
    house.write(
      house.inHome('.copilot', 'config.json'),
      JSON.stringify({ trustedFolders: [house.project], trusted_folders: [house.project] }),
    ),
  env: ({ model }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'gpt-scripted',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  args: (request, isFirst) => [
    '-p',
    request,
    '--allow-all-tools',
    '--allow-all-paths',
    ...(isFirst ? [] : ['--continue']),
  ],
  edit: (file, before, after) => ({
    call: 'apply_patch',
    input: { input: patch(file, greeting(before), greeting(after)) },
  }),
  command: (command) => ({
    call: 'bash',
    input: { command, description: 'Run the tests', initial_wait: 60, mode: 'sync' },
  }),
  helper: ({ project }) =>
    sendHelper(
      {
        call: 'task',
        input: { ...writeDocs, agent_type: 'general-purpose', name: 'docs', mode: 'sync' },
      },
      {
        call: 'apply_patch',
        input: { input: patchAdding(`${project}/docs/greet.md`, 'Be polite.') },
      },
    ),
}

proveAgent(copilotCli)
proveEditNotes(copilotCli)
proveRules(copilotCli)
proveTogether(copilotCli, claudeCode)
proveInTerminal(copilotCli, {
  args: ['--allow-all-tools', '--allow-all-paths'],
  ready: /\? help/,
  untyped: /❯ *\n─/,
  busy: /esc esc interrupt|esc again/,
  stopped: /Operation cancelled by user/,
  again: /esc again to interrupt/,
  marksInterrupt: true,
  compaction: { command: '/compact', over: /Compaction completed/ },
})

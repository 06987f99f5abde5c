import type { RealAgent } from './prove-agent.ts'
import type { InTerminal } from './prove-in-terminal.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

const KEY = 'sk-ant-dummy'

export const claudeCode: RealAgent = {
  id: 'claude-code',
  source: 'claude-code',
  sessions: /^\.claude\/projects\/.*\/(?!earlier)[^/]*\.jsonl$/,
  hasHook: true,
  env: ({ model }) => ({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    IS_SANDBOX: '1',
    ENABLE_TOOL_SEARCH: 'false',
  }),
  args: (request, isFirst) => [
    '-p',
    request,
    ...(isFirst ? [] : ['--continue']),
    '--dangerously-skip-permissions',
  ],
  edit: (file, old_string, new_string) => ({
    call: 'Edit',
    input: { file_path: file, old_string, new_string },
  }),
  beforeEdit: (file_path) => [{ call: 'Read', input: { file_path } }],
  command: (command) => ({ call: 'Bash', input: { command } }),
  helper: ({ project }) =>
    sendHelper(
      { call: 'Agent', input: { ...writeDocs, subagent_type: 'general-purpose' } },
      { call: 'Write', input: { file_path: `${project}/docs/greet.md`, content: 'Be polite.\n' } },
    ),
}

export const claudeCodeTerminal: InTerminal = {
  args: ['--dangerously-skip-permissions'],
  ready: /bypass permissions on/,
  stopped: /[Ii]nterrupted/,
  marksInterrupt: true,
  compaction: { command: '/compact', over: /Compacted|compacted/, isTold: true },
  settings: (house) =>
    house.write(
      house.inHome('.claude.json'),
      JSON.stringify({
        hasCompletedOnboarding: true,
        bypassPermissionsModeAccepted: true,
        customApiKeyResponses: { approved: [KEY], rejected: [] },
        projects: {
          [house.project]: {
            hasTrustDialogAccepted: true,
            hasCompletedProjectOnboarding: true,
            enabledMcpjsonServers: ['secretary'],
          },
        },
      }),
    ),
}

import { patch, patchAdding } from './patch.ts'
import type { RealAgent } from './prove-agent.ts'
import { greeting } from './requests.ts'
import { sendHelper, writeDocs } from './write-docs.ts'

const applied = (text: string) => ({
  call: 'exec_command',
  input: { cmd: `apply_patch <<'EOF'\n${text}\nEOF\n` },
})

export const codex: RealAgent = {
  id: 'codex',
  source: 'codex',
  sessions: /^\.codex\/sessions\/.*\.jsonl$/,
  hasHook: true,
  settings: (house) =>
    house.write(
      house.inHome('.codex', 'config.toml'),
      `model = "gpt-5.2-codex"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "${house.model.url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"

[projects."${house.project}"]
trust_level = "trusted"
`,
    ),
  env: () => ({ SCRIPTED_KEY: 'dummy' }),
  args: (request, isFirst) => [
    'exec',
    ...(isFirst ? [] : ['resume', '--last']),
    // As after `/hooks`, where a person trusts them.
    '--dangerously-bypass-hook-trust',
    request,
  ],
  edit: (file, before, after) => applied(patch(file, greeting(before), greeting(after))),
  command: (cmd) => ({ call: 'exec_command', input: { cmd } }),
  helper: ({ project }) =>
    sendHelper(
      { call: 'spawn_agent', input: { message: writeDocs.prompt } },
      applied(patchAdding(`${project}/docs/greet.md`, 'Be polite.')),
    ),
}

import { patch } from './patch.ts'
import { proveAgent } from './prove-agent.ts'
import { greeting } from './requests.ts'

proveAgent({
  id: 'codex',
  source: 'codex',
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
  edit: (file, before, after) => ({
    call: 'exec_command',
    input: { cmd: `apply_patch <<'EOF'\n${patch(file, greeting(before), greeting(after))}\nEOF\n` },
  }),
  command: (cmd) => ({ call: 'exec_command', input: { cmd } }),
})

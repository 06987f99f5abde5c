import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { proveAgent } from './prove-agent.ts'
import { proveEditNotes } from './prove-edit-notes.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { provePlugin } from './prove-plugin.ts'
import { proveRules } from './prove-rules.ts'
import { proveTogether } from './prove-together.ts'

proveAgent(codex)
proveEditNotes(codex)
proveRules(codex)
provePlugin(codex, {
  // As `init` writes it: a plugin cannot.
  patience: ['-c', 'mcp_optional_startup_grace_ms=10000'],
})
proveTogether(codex, claudeCode)
proveInTerminal(codex, {
  args: ['--dangerously-bypass-hook-trust'],
  ready: /Ask Codex to do anything/,
  untyped: /Ask Codex to do anything/,
  stopped: /Conversation interrupted/,
  marksInterrupt: true,
  compaction: { command: '/compact', over: /Context compacted/ },
})

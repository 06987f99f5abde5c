import { claudeCode, claudeCodeTerminal } from './claude-code.ts'
import { codex } from './codex.ts'
import { proveAgent } from './prove-agent.ts'
import { proveEditNotes } from './prove-edit-notes.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { provePlugin } from './prove-plugin.ts'
import { proveRules } from './prove-rules.ts'
import { proveTogether } from './prove-together.ts'

proveAgent(claudeCode)
provePlugin(claudeCode, {
  checks: (root) => [
    ['plugin', 'validate', '--strict', root],
    ['plugin', 'validate', '--profile', 'directory', `${root}plugins/claude-code`],
  ],
})
proveEditNotes(claudeCode)
proveRules(claudeCode)
proveInTerminal(claudeCode, claudeCodeTerminal)
proveTogether(claudeCode, codex)

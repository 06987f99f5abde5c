import { claudeCode } from './claude-code.ts'
import { openCode } from './opencode.ts'
import { proveAgent } from './prove-agent.ts'
import { proveEditNotes } from './prove-edit-notes.ts'
import { proveInTerminal } from './prove-in-terminal.ts'
import { proveRules } from './prove-rules.ts'
import { proveTogether } from './prove-together.ts'

proveAgent(openCode)
proveEditNotes(openCode)
proveRules(openCode)
proveTogether(openCode, claudeCode)
proveInTerminal(openCode, {
  args: [],
  ready: /Ask anything/,
  // A panel beside the empty lines shows the folder, in as many lines as its name needs.
  untyped: /Ask anything|(┃ *( {50}.*)?\n *){3}┃ +Build /,
  busy: /esc interrupt/,
  stopped: /Build · Scripted · interrupted/,
  again: /esc again to interrupt/,
  marksInterrupt: true,
  compaction: { command: '/compact', over: /Compaction · Scripted · [\d.]+/, isTold: true },
})

import { agentName } from '@secretary-mcp/transcripts/source-names.ts'

/** Two letters and a hue of its own for each agent that people know; others go by their first letters. */
const MARKS: Readonly<Record<string, readonly [letters: string, hue: number]>> = {
  vscode: ['VS', 250],
  'claude-code': ['CC', 45],
  codex: ['Cx', 165],
  'gemini-cli': ['Ge', 270],
  'copilot-cli': ['Co', 310],
  cursor: ['Cu', 220],
  opencode: ['oc', 90],
  cline: ['Cl', 340],
  'cline-cli': ['Cl', 340],
  'qwen-code': ['Qw', 290],
  kilo: ['Ki', 70],
  continue: ['Cn', 200],
  pi: ['pi', 15],
  droid: ['Dr', 130],
  kimi: ['Km', 235],
  specstory: ['Sp', 110],
}

/** The agent at a glance, its name for whoever points at it or listens. */
export function AgentMark({ source }: { readonly source: string }) {
  const name = agentName(source)
  const [letters, hue] = MARKS[source] ?? [name.slice(0, 2), 0]
  return (
    <span class="agent-mark" style={{ '--hue': hue }} title={name}>
      <span aria-hidden="true">{letters}</span>
      <span class="visually-hidden">{name}</span>
    </span>
  )
}

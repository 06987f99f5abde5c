import {
  resumeCommand,
  shellWord,
} from '@secretary-mcp/secretary/dialogs/handoff/agent-commands.ts'
import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { useState } from 'preact/hooks'
import { CopyButton } from '../../parts/copy-button.tsx'
import type { Dialog } from './dialog-data.ts'

type Way = 'resume' | 'handoff'

/** How to go on with a dialog: each way shows the command that does it. */
export function ContinueDialog({ dialog }: { readonly dialog: Dialog }) {
  const { source, sessionId, fileGone } = dialog
  const [chosen, setChosen] = useState<Way>()
  const canResume = !fileGone && resumeCommand(source, sessionId) !== undefined
  const command = chosen && `secretary ${chosen} ${shellWord(sessionId)}`
  const choice = (way: Way, name: string) => (
    <button
      type="button"
      class="button"
      aria-expanded={chosen === way}
      onClick={() => setChosen(chosen === way ? undefined : way)}
    >
      {name}
    </button>
  )
  return (
    <div class="continue">
      {canResume && choice('resume', 'Resume')}
      {choice('handoff', 'Hand over')}
      {command && (
        <p class="continue-command">
          <span class="quiet-line">
            {chosen === 'resume'
              ? `Reopens the dialog in ${agentName(source)}:`
              : 'Prints a prompt that another agent can go on from:'}
          </span>{' '}
          <code>{command}</code> <CopyButton text={() => command} label="Copy command" />
        </p>
      )}
    </div>
  )
}

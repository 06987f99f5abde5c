import {
  resumeCommand,
  shellWord,
} from '@secretary-mcp/secretary/dialogs/handoff/agent-commands.ts'
import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { call } from '../../live/api.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import type { Dialog } from './dialog-data.ts'

/** How to go on with a dialog: in its own agent, or in any other with a prompt that tells it everything. */
export function ContinueDialog({ dialog }: { readonly dialog: Dialog }) {
  const { source, sessionId, fileGone } = dialog
  const resume = fileGone ? undefined : resumeCommand(source, shellWord(sessionId))
  const prompt = async () =>
    (await call('get /api/v1/dialogs/handoff', { query: { session: sessionId } })).prompt
  return (
    <>
      {resume && (
        <CopyButton
          hasBorder
          label={`Resume in ${agentName(source)}`}
          text={() => resume.join(' ')}
          done="Copied the command: paste it into a terminal in the project"
        />
      )}
      <CopyButton
        hasBorder
        label="Hand off"
        text={prompt}
        done="Copied the prompt: paste it into any agent"
      />
    </>
  )
}

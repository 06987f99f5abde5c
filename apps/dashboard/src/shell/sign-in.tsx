import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../live/api.ts'
import { loadSession } from '../live/session.ts'
import { forgetToken, keepToken } from '../live/token.ts'
import { changed, everything } from '../live/topics.ts'
import { useModal } from '../parts/use-modal.ts'

const REFUSED = 'This token is unknown, expired or revoked.'

/** Asks for a token; it stays in this browser and goes nowhere but to this server. It stands before any other dialog. */
export function SignIn() {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const token = String(given.get('token') ?? '').trim()
    // A header takes nothing else, and no token of ours has it.
    if (!/^[\x21-\x7e]+$/.test(token)) return setProblem(REFUSED)
    setBusy(true)
    keepToken(token, given.get('keep') === 'on')
    try {
      await loadSession()
      changed(...everything)
    } catch (error) {
      forgetToken()
      setProblem(
        error instanceof ApiError && error.status === 401 ? REFUSED : (error as Error).message,
      )
    }
    setBusy(false)
  }
  return (
    <dialog
      ref={dialog}
      class="sign-in-screen"
      aria-label="Sign in"
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
    >
      <main class="sign-in">
        <h1>Secretary</h1>
        <p>
          Run <code>secretary open</code> on the machine where the server runs, and this page opens
          signed in. Elsewhere, enter a token:
        </p>
        <pre class="code">secretary token create --user NAME</pre>
        <form onSubmit={submit}>
          <label class="field">
            <span>Token</span>
            <input
              name="token"
              type="password"
              autocomplete="current-password"
              required
              spellcheck={false}
            />
          </label>
          <label class="check">
            <input name="keep" type="checkbox" /> Stay signed in on this device
          </label>
          {problem && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          <button type="submit" class="button primary" disabled={busy}>
            Sign in
          </button>
        </form>
      </main>
    </dialog>
  )
}

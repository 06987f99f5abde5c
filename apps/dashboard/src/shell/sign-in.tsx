import { useState } from 'preact/hooks'
import { ApiError } from '../live/api.ts'
import { loadSession } from '../live/session.ts'
import { forgetToken, keepToken, signInNeeded } from '../live/token.ts'
import { forgetSeen } from '../live/use-query.ts'

/** Asks for a token; it stays in this browser and goes nowhere but to this server. */
export function SignIn() {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    setBusy(true)
    keepToken(String(given.get('token') ?? '').trim(), given.get('keep') === 'on')
    try {
      await loadSession()
      forgetSeen()
      signInNeeded.set(false)
    } catch (error) {
      forgetToken()
      const refused = error instanceof ApiError && error.status === 401
      setProblem(refused ? 'This token is unknown, expired or revoked.' : (error as Error).message)
    }
    setBusy(false)
  }
  return (
    <main class="sign-in">
      <h1>Secretary</h1>
      <p>This server asks who you are. Make a token where it runs, and give it here:</p>
      <pre class="code">secretary token create --user NAME</pre>
      <form onSubmit={submit}>
        <label class="field">
          <span>Token</span>
          <input name="token" type="password" autocomplete="current-password" required spellcheck={false} />
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
  )
}

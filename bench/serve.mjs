import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A server of the built product on a free port, open to whoever asks and without limits. */
export async function serve(root, settings) {
  const child = spawn(process.execPath, [join(root, 'dist', 'secretary.js'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      SECRETARY_PORT: '0',
      SECRETARY_AUTH: 'off',
      SECRETARY_RATE_LIMITS: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill()
    await ended
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /page\s+(http:\S+?)\/?$/.exec(line)?.[1]
    if (url) return { url, stop }
  }
  throw new Error('the server did not start')
}

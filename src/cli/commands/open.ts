import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Config } from '../../core/config/config.ts'
import { isEqual, type OwnerToken, openOwnerToken } from '../../identity/owner-token.ts'
import { pageAddress } from '../clients/page-address.ts'
import { createSetup } from '../clients/setup.ts'
import type { CommandContext, RegisterCommand } from '../command-context.ts'
import { STOP_OPTION, type StopOptions, untilStopped } from '../until-stopped.ts'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export const registerOpen: RegisterCommand = (program, context) => {
  program
    .command('open')
    .description('open the page in the browser, starting the server if needed')
    .option('--print', 'print the address without opening it')
    .option(...STOP_OPTION)
    .action(async (options: StopOptions & { print?: boolean }, command) => {
      const { config } = context.settings(command)
      const show = (url: string) =>
        options.print ? context.terminal.print(url) : openInBrowser(context, url)
      const token = config.auth === 'off' ? undefined : openOwnerToken(config.home)
      const url = serverUrl(config)
      if (await isOurs(url, token)) return show(pageAddress({ url, token: token?.text }))
      await context.withApp(command, async (app) => {
        const { listen } = await import('../../serve/http/listen.ts')
        const listening = await listen(app, { setup: createSetup(app) })
        show(pageAddress(listening))
        context.terminal.note(`Serving ${config.project} for ${config.user}. Press Ctrl-C to stop.`)
        await untilStopped(options)
        await listening.close()
      })
    })
}

/** Where the settings say a server would be; one that listens everywhere is reached through loopback. */
function serverUrl({ host, port }: Config): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Any account of this machine can listen there: the token goes only to a server that proves that it knows it. */
async function isOurs(url: string, token: OwnerToken | undefined): Promise<boolean> {
  const nonce = randomBytes(16).toString('hex')
  try {
    const answer = await fetch(`${url}/health?nonce=${nonce}`, {
      signal: AbortSignal.timeout(1_000),
      redirect: 'error',
    })
    const health = (await answer.json()) as { status?: unknown; version?: unknown; proof?: unknown }
    if (token) return typeof health.proof === 'string' && isEqual(health.proof, token.proof(nonce))
    return health.status !== undefined && health.version !== undefined
  } catch {
    return false
  }
}

function openInBrowser({ terminal }: CommandContext, url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.once('error', () => terminal.note(`No browser could be started; open ${url}`))
  child.unref()
  terminal.print(`Opening ${url}`)
}

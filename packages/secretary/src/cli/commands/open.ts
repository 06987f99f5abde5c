import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { isEqual, type OwnerToken, openOwnerToken } from '../../identity/owner-token.ts'
import { createSetup } from '../clients/setup.ts'
import { writeWhole } from '../clients/write-whole.ts'
import type { CommandContext, RegisterCommand } from '../command-context.ts'
import { STOP_OPTION, type StopOptions, untilStopped } from '../until-stopped.ts'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export const registerOpen: RegisterCommand = (program, context) => {
  program
    .command('open')
    .description('open the dashboard in the browser, starting the server if needed')
    .option('--print', 'print the address without opening it; it signs a browser in once')
    .option('--json', 'print the address, the page’s address and the token as JSON, for a program')
    .option(...STOP_OPTION)
    .action(async (options: StopOptions & { print?: boolean; json?: boolean }, command) => {
      const { config } = context.settings(command)
      const token = config.auth === 'off' ? undefined : openOwnerToken(config.home)
      const show = (url: string, page: string) => {
        if (options.json)
          return context.terminal.print(JSON.stringify({ url, page, token: token?.text }))
        return options.print
          ? context.terminal.print(page)
          : openInBrowser(context, config.home, page)
      }
      const url = serverUrl(config)
      const found = await askForCode(url, token)
      if (found.isOurs) return show(url, `${url}/${found.code ? `?code=${found.code}` : ''}`)
      await context.withApp(command, async (app) => {
        const { listen } = await import('../../serve/listen.ts')
        const listening = await listen(app, { setup: createSetup(app) })
        show(listening.url, await listening.signInUrl())
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

/**
 * Every account can read the command lines of this machine, so the browser is given a file that only its owner can read and that
 * leads on to the address.
 */
function openInBrowser({ terminal }: CommandContext, home: string, url: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const file = join(home, 'open.html')
  writeWhole(file, home, '')
  chmodSync(file, 0o600)
  writeWhole(file, home, leadingTo(url))
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true })
  child.once('error', () => terminal.note(`No browser could be started; open ${url}`))
  child.unref()
  terminal.print(`Opening the page. If nothing opens, go to ${url}`)
}

function leadingTo(url: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="refresh" content="0;url=${url}">
    <title>Secretary</title>
  </head>
  <body><a href="${url}">Open Secretary</a></body>
</html>
`
}

const TIMEOUT_MS = 2_000
const MAX_ANSWER = 10_000

type Found =
  /** It listens there and is ours; with a code unless it needs none. */
  { readonly isOurs: true; readonly code?: string } | { readonly isOurs: false }

/**
 * Asks the server at an address for a code that signs a browser in. Any account of this machine can listen there, or pass on what
 * it hears: the token goes only to a server that proves that it knows it and that this connection ends there, and over no other
 * connection.
 */
async function askForCode(url: string, token: OwnerToken | undefined): Promise<Found> {
  const agent = new SingleConnection({ keepAlive: true, maxSockets: 1 })
  try {
    const nonce = randomBytes(16).toString('hex')
    const { body: health, socket } = await ask(agent, `${url}/health?nonce=${nonce}`)
    if (!token) return { isOurs: health.status !== undefined && health.version !== undefined }
    const { remoteAddress: address, remotePort: port } = socket
    const { proof } = health
    if (typeof proof !== 'string' || !isEqual(proof, token.proof(nonce, { address, port })))
      return { isOurs: false }
    const { body } = await ask(agent, `${url}/api/v1/sign-in-codes`, token)
    return typeof body.code === 'string' ? { isOurs: true, code: body.code } : { isOurs: false }
  } catch {
    return { isOurs: false }
  } finally {
    agent.destroy()
  }
}

/** Never connects a second time: behind a new connection there could be another server. */
class SingleConnection extends Agent {
  #isConnected = false

  override createConnection(
    ...given: Parameters<Agent['createConnection']>
  ): ReturnType<Agent['createConnection']> {
    if (this.#isConnected) throw new Error('The connection ended early')
    this.#isConnected = true
    return super.createConnection(...given) as Duplex
  }
}

function ask(
  agent: Agent,
  url: string,
  token?: OwnerToken,
): Promise<{ body: Record<string, unknown>; socket: IncomingMessage['socket'] }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        agent,
        method: token ? 'POST' : 'GET',
        headers: token ? { authorization: `Bearer ${token.text}` } : {},
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      (answer) => {
        // It is gone from the answer once the agent has it back.
        const { socket } = answer
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
          if (text.length > MAX_ANSWER) answer.destroy(new Error('The answer is too long'))
        })
        answer.once('error', reject)
        answer.once('end', () => {
          try {
            const body = JSON.parse(text) as unknown
            resolve({ body: Object(body) as Record<string, unknown>, socket })
          } catch (error) {
            reject(error)
          }
        })
      },
    )
    asked.once('error', reject).end()
  })
}

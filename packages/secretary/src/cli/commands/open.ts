import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { openOwnerToken } from '../../identity/owner-token.ts'
import { askForCode } from '../clients/ask-for-code.ts'
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
    .description('open the page in the browser, starting the server if needed')
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

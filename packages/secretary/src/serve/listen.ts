import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { App } from '../app/app.ts'
import { Authenticator } from '../identity/authenticator.ts'
import { BrowserSessions, PRINTED_CODE_MS } from '../identity/browser-sessions.ts'
import { OpenIdProvider } from '../identity/openid-provider.ts'
import { openOwnerToken } from '../identity/owner-token.ts'
import type { Setup } from './api/setup-routes.ts'
import { createHttpApp } from './create-http-app.ts'
import { ConnectionGuard, SERVER_LIMITS } from './http/connection-guard.ts'
import { createMcpEndpoint, type Mount } from './mcp/http.ts'

export interface Listening {
  readonly url: string
  /** Of the owner; undefined where none is required. */
  readonly token?: string
  /** The page's address with a code that signs a browser in as the owner, once. */
  signInUrl(): Promise<string>
  close(): Promise<void>
}

const DRAIN_MS = 2_000

export interface ListenOptions {
  readonly mount?: Mount
  readonly setup?: Setup
}

export async function listen(app: App, { mount, setup }: ListenOptions = {}): Promise<Listening> {
  const mcp = createMcpEndpoint(app, mount)
  const owner = app.config.auth === 'off' ? undefined : openOwnerToken(app.config.home)
  const { oidcIssuer: issuer, oidcAudience: audience, oidcJwksUrl: jwksUrl } = app.config
  const authenticator = new Authenticator({
    tokens: app.tokens,
    owner: owner && { token: owner, user: app.config.user },
    provider: issuer && audience ? new OpenIdProvider({ issuer, audience, jwksUrl }) : undefined,
  })
  const sessions = new BrowserSessions(app.sessions, authenticator)
  const connections = new ConnectionGuard()
  let isDraining = false
  const http = createHttpApp(app, mcp, {
    authenticator,
    sessions,
    connections,
    owner,
    setup,
    isDraining: () => isDraining,
  })
  const server = createAdaptorServer({ fetch: http.fetch, serverOptions: SERVER_LIMITS }) as Server
  connections.watch(server)
  const { host, port } = app.config
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)))
    server.listen(port, host, resolve)
  })
  app.watch()
  app.joinOthers()
  const address = server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
  return {
    url,
    token: owner?.text,
    async signInUrl() {
      // A database that is away or too new must not keep the server from starting.
      const made =
        owner && (await sessions.createCode(owner.text, PRINTED_CODE_MS).catch(() => undefined))
      return `${url}/${made ? `?code=${made.code}` : ''}`
    },
    async close() {
      // Whoever balances the load hears of it first, and sends the next calls elsewhere.
      isDraining = true
      const drainMs = app.config.drainSeconds * 1_000
      await delay(drainMs)
      await mcp.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), Math.max(drainMs, DRAIN_MS))
      await closed
      clearTimeout(timer)
    },
  }
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new Failure(
      'address_in_use',
      `Port ${port} is in use; choose another with --port, or 0 for a free one`,
    )
  if (error.code === 'EACCES')
    return new Failure(
      'address_refused',
      `Port ${port} needs more privileges; choose one above 1023 with --port`,
    )
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Failure('address_unknown', `This machine has no address ${host}; check --host`)
  return error
}

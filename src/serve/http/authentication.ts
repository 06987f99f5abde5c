import type { MiddlewareHandler } from 'hono'
import type { Authenticator, Identity } from '../../identity/authenticator.ts'
import { refusal } from './refusal.ts'

export interface HttpVariables {
  readonly Variables: { user: string; identity?: Identity; token?: string }
}

interface AuthenticationConfig {
  readonly authenticator: Authenticator
  /** Whether a request without a token is refused; otherwise it is the local user's. */
  readonly required: boolean
  readonly localUser: string
  readonly metadataUrl: (requestUrl: string) => string
}

/** Sets `user` for everything behind it. A token that is sent is always checked, on loopback too. */
export function authentication({
  authenticator,
  required,
  localUser,
  metadataUrl,
}: AuthenticationConfig): MiddlewareHandler<HttpVariables> {
  return async (context, next) => {
    const challenge = (error: string, message: string) => {
      context.header(
        'WWW-Authenticate',
        `Bearer error="${error}", resource_metadata="${metadataUrl(context.req.url)}"`,
      )
      return refusal(context, 401, error, message)
    }
    const header = context.req.header('authorization')
    if (header === undefined) {
      if (required)
        return challenge(
          'unauthorized',
          'A bearer token is needed; `secretary token create --user NAME` makes one',
        )
      context.set('user', localUser)
      return next()
    }
    const token = /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1]
    const identity = token === undefined ? undefined : await authenticator.identify(token)
    if (!identity) return challenge('invalid_token', 'The token is unknown, expired or revoked')
    context.set('user', identity.user)
    context.set('identity', identity)
    context.set('token', token)
    return next()
  }
}

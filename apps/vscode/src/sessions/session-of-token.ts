import { Buffer } from 'node:buffer'

/**
 * The session that a tool was called from. VS Code calls the token opaque: what is read from it here
 * may be missing in any version, and then the newest session of the window stands in.
 */
export function sessionOfToken(token: unknown): string | undefined {
  if (token === null || typeof token !== 'object') return undefined
  const { sessionResource, sessionId } = token as { sessionResource?: unknown; sessionId?: unknown }
  return (
    sessionOfResource(sessionResource) ??
    (typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined)
  )
}

/** `vscode-chat-session://local/<base64 of the id>`, as an object or a text. */
function sessionOfResource(resource: unknown): string | undefined {
  const path = pathOf(resource)
  const encoded = path?.split('/').filter(Boolean).at(-1)
  if (encoded === undefined) return undefined
  const decoded = Buffer.from(encoded.replaceAll('%3D', '='), 'base64').toString('utf8')
  return /^[\w.-]{1,200}$/.test(decoded) ? decoded : undefined
}

function pathOf(resource: unknown): string | undefined {
  if (typeof resource === 'string') return resource.replace(/^[\w-]+:\/\/[^/]*/, '')
  if (resource === null || typeof resource !== 'object') return undefined
  const { scheme, path } = resource as { scheme?: unknown; path?: unknown }
  return scheme === 'vscode-chat-session' && typeof path === 'string' ? path : undefined
}

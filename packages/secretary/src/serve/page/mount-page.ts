import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import type { Context, Hono } from 'hono'
import type { HttpVariables } from '../http/authentication.ts'
import { refusal } from '../http/bounded-body.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Nothing runs that is not a file of ours, nothing is sent anywhere but here, and no text becomes markup: where a
 * browser knows trusted types, even a slip in our own code could not turn a string into a script.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * No web page has one of these schemes: they are those of VS Code's desktop window. In a browser the editor and the page
 * have one origin, that of the editor's proxy.
 */
const EDITOR = "'self' vscode-webview: vscode-file:"

const HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Addresses that the page itself understands; the server answers each with the same document. */
const VIEWS = [
  '/',
  '/dialogs',
  '/tasks',
  '/search',
  '/file',
  '/guide',
  '/suggestions',
  '/tools',
  '/usage',
  '/team',
  '/chat',
]

/** The page's files hold no data, so they are served before anybody is asked who they are. */
export function mountPage(
  http: Hono<HttpVariables>,
  { pageInEditor }: Pick<Config, 'pageInEditor'>,
  folder: string = join(packageRoot(), 'dist', 'page'),
): void {
  const framedBy = pageInEditor === 'on' ? EDITOR : "'none'"
  const policy = `${POLICY}; frame-ancestors ${framedBy}`
  let files: ReadonlyMap<string, PageFile> | undefined
  const find = (path: string) => {
    files ??= readPageFiles(folder)
    return files.get(path)
  }
  const document = (context: Context) => {
    const file = find('/index.html')
    if (file) return answer(context, rooted(file, context.req.path), policy, 'no-cache')
    return refusal(
      context,
      404,
      'not_built',
      'The page is not part of this installation; `npm run build` builds it',
    )
  }
  for (const view of VIEWS) {
    http.get(view, document)
    if (view !== '/') http.get(`${view}/*`, document)
  }
  http.get('/assets/*', (context) => {
    const file = find(context.req.path)
    if (!file)
      return refusal(context, 404, 'not_found', 'There is nothing at this address; reload the page')
    // The name holds a hash of the content: what it names never changes.
    return answer(context, file, policy, 'public, max-age=31536000, immutable')
  })
  http.get('*', async (context, next) => {
    const wantsPage = context.req.header('accept')?.includes('text/html')
    if (!wantsPage || RESERVED.test(context.req.path)) return next()
    const { body, headers } = document(context)
    return new Response(body, { status: 404, headers })
  })
}

/** Everything else that a browser opens gets the page, which says that there is nothing. */
const RESERVED = /^\/(api|mcp|metrics|health|assets|\.well-known)(\/|$)/

/** The document names its files from where it stands: a proxy that serves us below a path of its own tells nobody that path. */
function rooted(file: PageFile, path: string): PageFile {
  const up = '../'.repeat(path.split('/').length - 2)
  return pageFile(
    Buffer.from(file.bytes)
      .toString()
      .replaceAll('%ROOT%', up || './'),
    file.type,
  )
}

function answer(context: Context, file: PageFile, policy: string, caching: string): Response {
  const headers = {
    ...HEADERS,
    'content-security-policy': policy,
    'cache-control': caching,
    etag: file.etag,
    vary: 'accept-encoding',
  }
  if (context.req.header('if-none-match')?.includes(file.etag))
    return new Response(null, { status: 304, headers })
  const squeeze = /\bgzip\b/.test(context.req.header('accept-encoding') ?? '')
  return new Response(squeeze ? file.gzipped() : file.bytes, {
    headers: {
      ...headers,
      'content-type': file.type,
      ...(squeeze ? { 'content-encoding': 'gzip' } : {}),
    },
  })
}

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
  /** Made on first demand: most visits come from a browser's cache. */
  gzipped(): Uint8Array<ArrayBuffer>
}

/**
 * Everything the page is made of, by its address. Only names that were there at the first request are ever
 * served, so no address can lead out of the folder.
 */
function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return new Map(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const type = TYPES[extname(path)] ?? 'application/octet-stream'
      return [path.slice(folder.length).replaceAll('\\', '/'), pageFile(readFileSync(path), type)]
    }),
  )
}

function pageFile(content: string | Uint8Array, type: string): PageFile {
  const bytes =
    typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  let small: Uint8Array<ArrayBuffer> | undefined
  return {
    bytes,
    type,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    gzipped() {
      small ??= new Uint8Array(gzipSync(bytes))
      return small
    },
  }
}

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { fullDiskFailure } from '@secretary-mcp/core/files/path-failure.ts'

/** Where a connection ends, as the system says: not what a request claims. */
export interface Endpoint {
  readonly address?: string
  readonly port?: number
}

/** What says that the owner of this machine's SECRETARY_HOME asks: whoever can read its file. */
export class OwnerToken {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  is(token: string): boolean {
    return isEqual(token, this.text)
  }

  /**
   * Shows one who knows the token that we know it too, without telling it. It names the address and the port that the connection
   * ends at, so that a proof is worth nothing to a server that only passes it on.
   */
  proof(nonce: string, endpoint: Endpoint): string {
    return this.#sign(`proof:${nonce}:${nameOfEndpoint(endpoint)}`)
  }

  #sign(text: string): string {
    return createHmac('sha256', this.text).update(text).digest('base64url')
  }
}

/** A server that listens on `::` sees an IPv4 address in its mapped form. */
function nameOfEndpoint({ address = '', port = 0 }: Endpoint): string {
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1)
  return `${plain.toLowerCase()} ${port}`
}

/** In constant time, also for texts of different lengths. */
export function isEqual(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** Reads the token of a home; the first to ask makes it. */
export function openOwnerToken(home: string): OwnerToken {
  const path = join(home, 'token')
  try {
    const known = readToken(path)
    if (known !== undefined) return known
    mkdirSync(home, { recursive: true, mode: 0o700 })
    makeToken(home, path)
    const made = readToken(path)
    if (made !== undefined) return made
  } catch (thrown) {
    const error = fullDiskFailure(thrown)
    if (error instanceof Failure) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw unusable(path, code === 'ELOOP' ? 'it is a link' : code)
  }
  throw unusable(path, 'it disappeared')
}

/** Several servers may start at once: the first name wins, and nobody ever reads half a token. */
function makeToken(home: string, path: string): void {
  const draft = join(home, `.token-${randomBytes(8).toString('hex')}`)
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function readToken(path: string): OwnerToken | undefined {
  let file: number
  try {
    file = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw unusable(path, 'it is not a file')
    if (process.getuid && found.uid !== process.getuid())
      throw unusable(path, 'it belongs to another user')
    if ((found.mode & 0o077) !== 0) fchmodSync(file, 0o600)
    const text = readFileSync(file, 'utf8').trim()
    if (!/^[\w-]{43,200}$/.test(text)) throw unusable(path, 'it contains no token')
    return new OwnerToken(text)
  } finally {
    closeSync(file)
  }
}

function unusable(path: string, why: string): Failure {
  return new Failure(
    'token_unusable',
    `The token in ${path} cannot be used (${why}). Delete the file to get a new one, or set SECRETARY_AUTH=off to need none on loopback.`,
  )
}

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
import { Failure } from '../core/failure.ts'
import { fullDiskFailure } from '../core/files/full-disk.ts'

const COOKIE_DAYS = 30
const DAY_MS = 86_400_000

/** What says that the owner of this machine's SECRETARY_HOME asks: whoever can read its file. */
export class OwnerToken {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  is(token: string): boolean {
    return isEqual(token, this.text)
  }

  /** For a browser: ends by itself, and reveals nothing of the token to another server on this host. */
  cookie(now: number): string {
    const expires = now + COOKIE_DAYS * DAY_MS
    return `${expires}.${this.#sign(`cookie:${expires}`)}`
  }

  /** When the cookie ends, in seconds since 1970; undefined where it is not one of ours or has ended. */
  cookieEnd(cookie: string, now: number): number | undefined {
    const expires = Number(/^(\d{1,15})\./.exec(cookie)?.[1])
    if (!(expires > now)) return undefined
    return isEqual(cookie, `${expires}.${this.#sign(`cookie:${expires}`)}`)
      ? Math.floor(expires / 1000)
      : undefined
  }

  /** Shows one who knows the token that we know it too, without telling it. */
  proof(nonce: string): string {
    return this.#sign(`proof:${nonce}`)
  }

  #sign(text: string): string {
    return createHmac('sha256', this.text).update(text).digest('base64url')
  }
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

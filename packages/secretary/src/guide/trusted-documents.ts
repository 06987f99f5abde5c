import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fullDiskFailure } from '@secretary-mcp/core/files/path-failure.ts'
import * as z from 'zod'
import { digestOf, realPath } from './documents/document.ts'

/** The text that a person read before they trusted it. Undefined for a file that cannot be read. */
export interface TrustedText {
  readonly path: string
  readonly digest: string
  readonly text?: string
}

type Digests = ReadonlyMap<string, string>

const NONE: Digests = new Map()
const DIGEST = /^[0-9a-f]{64}$/
const trustFile = z.record(z.string(), z.record(z.string(), z.string()))

/**
 * Which documents of a project's own `.guide` the person has read and trusts: by the project's real folder, the path in it and the
 * digest of its text. A document that changed, or another repository in the same folder, is not trusted. The texts are kept beside
 * the list, so that a change can be shown.
 */
export class TrustedDocuments {
  readonly #path: string
  readonly #texts: string
  #read?: { readonly stamp: string; readonly projects: ReadonlyMap<string, Digests> }

  constructor(home: string) {
    this.#path = join(home, 'trusted-guides.json')
    this.#texts = join(home, 'trusted-guides')
  }

  has(project: string): boolean {
    return this.digests(project).size > 0
  }

  /** By path. */
  digests(project: string): Digests {
    const folder = realPath(project)
    return (folder !== undefined && this.#projects().get(folder)) || NONE
  }

  /** As it was when it was trusted; undefined if that is not known. */
  text(project: string, path: string): string | undefined {
    const digest = this.digests(project).get(path)
    if (digest === undefined || !DIGEST.test(digest)) return undefined
    try {
      const bytes = readFileSync(join(this.#texts, digest))
      return digestOf(bytes) === digest ? bytes.toString('utf8') : undefined
    } catch {
      return undefined
    }
  }

  /** These in addition to those that are trusted already. */
  trust(project: string, documents: readonly TrustedText[]): void {
    const folder = realPath(project)
    if (folder === undefined || documents.length === 0) return
    const digests = new Map(this.digests(project))
    for (const { path, digest } of documents) digests.set(path, digest)
    for (const { digest, text } of documents)
      if (text !== undefined && DIGEST.test(digest))
        replaceFile(join(this.#texts, digest), Buffer.from(text, 'utf8'))
    this.#save(new Map(this.#projects()).set(folder, digests))
  }

  revoke(project: string): void {
    const folder = realPath(project)
    if (folder === undefined) return
    const projects = new Map(this.#projects())
    projects.delete(folder)
    this.#save(projects)
  }

  #save(projects: ReadonlyMap<string, Digests>): void {
    const sorted = [...projects]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([folder, digests]) => [folder, Object.fromEntries([...digests].sort())])
    replaceFile(this.#path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
    this.#read = undefined
    this.#dropTexts(new Set([...projects.values()].flatMap((digests) => [...digests.values()])))
  }

  #dropTexts(kept: ReadonlySet<string>): void {
    try {
      for (const name of readdirSync(this.#texts))
        if (!kept.has(name)) rmSync(join(this.#texts, name), { force: true })
    } catch {
      // Nothing was kept yet.
    }
  }

  /** Another process may have changed it: looked at each time, read only when it did. */
  #projects(): ReadonlyMap<string, Digests> {
    const stamp = stampOf(this.#path)
    if (this.#read?.stamp !== stamp) this.#read = { stamp, projects: readProjects(this.#path) }
    return this.#read.projects
  }
}

function replaceFile(path: string, content: string | Buffer): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 })
    renameSync(draft, path)
  } catch (error) {
    throw fullDiskFailure(error)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Empty for what is not there, and for what cannot be looked at. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch {
    return ''
  }
}

/** An unreadable file trusts nothing, and neither does the list of folders that earlier versions wrote. */
function readProjects(path: string): Map<string, Digests> {
  try {
    const projects = trustFile.parse(JSON.parse(readFileSync(path, 'utf8')))
    return new Map(
      Object.entries(projects).map(([folder, digests]) => [
        folder,
        new Map(Object.entries(digests)),
      ]),
    )
  } catch {
    return new Map()
  }
}

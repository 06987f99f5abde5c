import { randomBytes } from 'node:crypto'
import { constants, copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { isInside, realPath } from './document.ts'

/** Writes below one folder only, and never half: a file is whole under its name, or not there. */
export class DocumentWriter {
  readonly root: string

  constructor(root: string) {
    this.root = root
  }

  /** False where a file of that name is already there, even if it came this very moment. */
  async create(path: string, text: string): Promise<boolean> {
    const target = await this.#folderFor(path)
    return this.#throughTemporary(target, text, (temporary) => claim(temporary, target))
  }

  async replace(path: string, text: string): Promise<void> {
    const target = await this.#folderFor(path)
    await this.#throughTemporary(target, text, async (temporary) => {
      await rename(temporary, target)
      return true
    })
  }

  /** False where there is no such file. */
  async remove(path: string): Promise<boolean> {
    const target = this.#place(path)
    try {
      await rm(target)
      return true
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      throw saveError(error)
    }
  }

  async #folderFor(path: string): Promise<string> {
    try {
      await mkdir(this.root, { recursive: true, mode: 0o700 })
      const target = this.#place(path)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      return target
    } catch (error) {
      throw saveError(error)
    }
  }

  /** A folder in between could be a link that leads elsewhere. */
  #place(path: string): string {
    const target = join(this.root, path)
    const root = realPath(this.root)
    const nearest = nearestExisting(dirname(target))
    if (root === undefined || (nearest !== undefined && isInside(nearest, root))) return target
    throw new Failure(
      'security_error',
      'That path leads out of the docroot through a link; nothing was written',
      {
        instruction: 'Tell the person; do not look for another way.',
      },
    )
  }

  async #throughTemporary(
    target: string,
    text: string,
    finish: (temporary: string) => Promise<boolean>,
  ): Promise<boolean> {
    const temporary = join(dirname(target), `.${randomBytes(6).toString('hex')}.tmp`)
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      return await finish(temporary)
    } catch (error) {
      throw saveError(error)
    } finally {
      await rm(temporary, { force: true }).catch(() => {})
    }
  }
}

async function claim(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // Some file systems know no hard links.
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP') throw error
  }
  try {
    await copyFile(temporary, target, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function nearestExisting(folder: string): string | undefined {
  const real = realPath(folder)
  const parent = dirname(folder)
  return real ?? (parent === folder ? undefined : nearestExisting(parent))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function saveError(error: unknown): Error {
  const code = codeOf(error)
  if (error instanceof Failure || code === '')
    return error instanceof Error ? error : new Error(String(error))
  const why: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk is full',
    EROFS: 'the docroot cannot be written',
    EACCES: 'the docroot cannot be written',
    EPERM: 'the docroot cannot be written',
    EISDIR: 'there is a folder of that name',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'a part of the path is a file',
  }
  return new Failure(
    'save_error',
    `The document was not saved: ${why[code] ?? 'the disk refused it'}`,
    {
      instruction: 'Tell the person; do not write the file in another way.',
      cause: error,
    },
  )
}

import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { digestOf, isProblem } from './document.ts'
import { Library } from './library.ts'

describe('the library', () => {
  let folder: string
  let library: Library
  let isTrusted: boolean
  /** What the person trusts while they trust all that is there. */
  let digests: Map<string, string>
  let announced: number
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    const [, own] = path.split('project/.guide/')
    if (own !== undefined) digests.set(own, digestOf(Buffer.from(text)))
  }
  /** Long ago, so that what was read may be remembered. */
  const settle = (path: string) => utimesSync(join(folder, path), 1_000, 1_000)
  const open = () => library.open(join(folder, 'project'))
  const bodyOf = async (path: string) => {
    const shelf = await open()
    const file = shelf.find(path)
    const read = file && shelf.read(file)
    return read === undefined ? undefined : isProblem(read) ? read.error_type : read.body
  }

  beforeEach(() => {
    folder = temporaryFolder()
    announced = 0
    isTrusted = true
    digests = new Map()
    mkdirSync(join(folder, 'project'))
    library = new Library(
      {
        shipped: join(folder, 'shipped'),
        user: join(folder, 'user'),
        trustedDigests: () => (isTrusted ? digests : new Map()),
      },
      () => announced++,
    )
  })

  it('shows nothing of a project that is not trusted but the names', async () => {
    isTrusted = false
    write('user/a/x.md', 'user')
    write('project/.guide/a/x.md', 'project')
    write('project/.guide/b/y.md', 'only there')
    expect(await bodyOf('a/x')).toBe('user')
    expect(await bodyOf('b/y')).toBeUndefined()
    const shelf = await open()
    expect(shelf.untrusted).toEqual(['a/x.md', 'b/y.md'])
    expect(shelf.topFolders).toEqual(['a'])
    isTrusted = true
    expect(await bodyOf('a/x')).toBe('project')
    expect((await open()).untrusted).toEqual([])
    expect(announced).toBeGreaterThan(0)
  })

  it('shows a document of the project only as the person trusted it', async () => {
    write('user/a/x.md', 'user')
    write('project/.guide/a/x.md', 'read and trusted')
    settle('project/.guide/a/x.md')
    expect(await bodyOf('a/x')).toBe('read and trusted')
    const shelf = await open()
    const file = shelf.find('a/x')
    writeFileSync(join(folder, 'project/.guide/a/x.md'), 'written since then')
    // Also for a caller that found it before it changed.
    expect(file && shelf.read(file)).toMatchObject({ error_type: 'untrusted' })
    expect(file && shelf.peek(file)).toMatchObject({ error_type: 'untrusted' })
    expect(await bodyOf('a/x')).toBe('user')
    expect((await open()).untrusted).toEqual(['a/x.md'])
    writeFileSync(join(folder, 'project/.guide/a/x.md'), 'read and trusted')
    expect(await bodyOf('a/x')).toBe('read and trusted')
  })

  it('lets a document that is too large hide none of the person’s own', async () => {
    write('user/a/x.md', 'user')
    mkdirSync(join(folder, 'project/.guide/a'), { recursive: true })
    writeFileSync(join(folder, 'project/.guide/a/x.md'), 'x'.repeat(2 << 20))
    expect(await bodyOf('a/x')).toBe('user')
  })

  it('gives no text that was not trusted, whatever files and links there are', async () => {
    const name = fc.constantFrom('a.md', 'b.md', 'c/d.md')
    const text = fc.constantFrom('one', 'two', 'three')
    const act = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), name, text }),
      fc.record({ kind: fc.constant('link' as const), name, to: name }),
      fc.record({ kind: fc.constant('trust' as const), name, text }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const own = join(folder, 'project/.guide')
        rmSync(own, { recursive: true, force: true })
        mkdirSync(join(own, 'c'), { recursive: true })
        digests = new Map()
        for (const one of acts) {
          if (one.kind === 'trust') digests.set(one.name, digestOf(Buffer.from(one.text)))
          else rmSync(join(own, one.name), { force: true })
          if (one.kind === 'write') writeFileSync(join(own, one.name), one.text)
          if (one.kind === 'link') symlinkSync(join(own, one.to), join(own, one.name))
          const shelf = await open()
          for (const file of shelf.files) {
            const read = shelf.read(file)
            const body = isProblem(read) ? undefined : read.body.trim()
            if (body !== undefined) expect(digests.get(file.path)).toBe(digestOf(Buffer.from(body)))
          }
          const listed = [...shelf.files.map(({ path }) => path), ...shelf.untrusted]
          expect(new Set(listed).size).toBe(listed.length)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('surveys what it walked, whatever appears while it announces', () => {
    const user = join(folder, 'user')
    const library = new Library({ shipped: join(folder, 'shipped'), user }, () =>
      write('user/a/new.md', 'written by whoever heard of it'),
    )
    write('user/a/x.md', 'x')
    expect(library.survey(folder).folders).toContain(user)
    rmSync(user, { recursive: true })
    const { folders } = library.survey(folder)
    expect(folders).toContain(folder)
    expect(folders).not.toContain(user)
  })

  it('lays the project over the person over what was shipped', async () => {
    write('shipped/a/x.md', 'shipped')
    write('shipped/a/y.md', 'only shipped')
    expect(await bodyOf('a/x')).toBe('shipped')
    write('user/a/x.md', 'user')
    expect(await bodyOf('a/x')).toBe('user')
    write('project/.guide/a/x.md', 'project')
    expect(await bodyOf('a/x')).toBe('project')
    expect(await bodyOf('a/y')).toBe('only shipped')
  })

  it('sees a changed, a replaced, a new and a removed document at the next look', async () => {
    write('user/a/x.md', 'one')
    settle('user/a/x.md')
    settle('user/a')
    expect(await bodyOf('a/x')).toBe('one')
    write('user/a/x.md', 'two')
    expect(await bodyOf('a/x')).toBe('two')
    write('user/a/new.tmp', 'six')
    renameSync(join(folder, 'user/a/new.tmp'), join(folder, 'user/a/x.md'))
    expect(await bodyOf('a/x')).toBe('six')
    write('user/a/y.md', 'new')
    expect(await bodyOf('a/y')).toBe('new')
    rmSync(join(folder, 'user/a/x.md'))
    expect(await bodyOf('a/x')).toBeUndefined()
  })

  it('announces a changed list once, and not the first look', async () => {
    write('user/a/x.md', 'one')
    await open()
    await open()
    expect(announced).toBe(0)
    write('user/a/y.md', 'two')
    await open()
    await open()
    expect(announced).toBe(1)
  })

  it('makes nothing anew where nothing has changed', async () => {
    write('user/a/x.md', 'one')
    settle('user/a')
    settle('user')
    expect((await open()).files).toBe((await open()).files)
  })

  it('does not follow links out, neither a file nor a folder nor .guide itself', async () => {
    write('outside/secret.md', 'secret')
    write('user/a/x.md', 'x')
    symlinkSync(join(folder, 'outside/secret.md'), join(folder, 'user/a/link.md'))
    symlinkSync(join(folder, 'outside'), join(folder, 'user/a/folder'))
    symlinkSync(join(folder, 'outside'), join(folder, 'project/.guide'))
    symlinkSync(join(folder, 'user/a/x.md'), join(folder, 'user/a/inside.md'))
    expect((await open()).files.map(({ path }) => path)).toEqual(['a/inside.md', 'a/x.md'])
  })

  it('leaves hidden entries, other kinds of files and folders without end out', async () => {
    write('user/.git/x.md', 'x')
    write('user/a/image.png', 'x')
    write('user/node_modules/p/readme.md', 'x')
    write(`user/${'d/'.repeat(30)}x.md`, 'x')
    write('user/a/x.md', 'x')
    expect((await open()).files.map(({ path }) => path)).toEqual(['a/x.md'])
  })

  it('stops reading where the documents are too large together, and says so', async () => {
    for (let place = 10; place < 50; place++) write(`user/a/${place}.md`, 'x'.repeat(1024 * 1024))
    const shelf = await open()
    const read = shelf.files.map((file) => shelf.read(file))
    expect(read.filter((one) => !isProblem(one))).toHaveLength(33)
    expect(read.at(-1)).toMatchObject({ error_type: 'too_large' })
  })

  it('names what is wrong with a document that cannot be read', async () => {
    write('user/a/latin.md', '')
    writeFileSync(join(folder, 'user/a/latin.md'), Buffer.from([0x66, 0xfc, 0x72]))
    write('user/a/large.md', 'x'.repeat(1024 * 1024 + 1))
    mkdirSync(join(folder, 'user/a/folder.md'))
    expect(await bodyOf('a/latin')).toBe('file_read_error')
    expect(await bodyOf('a/large')).toBe('too_large')
    expect(await bodyOf('a/folder')).toBeUndefined()
    write('user/a/gone.md', 'x')
    const shelf = await open()
    const file = shelf.find('a/gone')
    rmSync(join(folder, 'user/a/gone.md'))
    expect(file && shelf.read(file)).toMatchObject({ error_type: 'file_read_error' })
  })
})

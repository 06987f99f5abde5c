import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../support/engines.ts'
import { type Connection, connectHttp, connectStdio } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Body {
  success: boolean
  error?: string
  error_type?: string
  message?: string
  instruction?: string
  value: {
    content: string
    documents: { uri: string; name: string }[]
    total: number
    next_offset?: number
    problems?: { document: string; error_type: string; error: string }[]
    flags: Record<string, unknown>
    value: unknown
    categories: { name: string; dir: string; patterns: string[] }[]
    collections: { name: string; categories: string[] }[]
    files: { uri: string; layer: string }[]
    projects: { name: string; path: string }[]
    profiles: { name: string; used: boolean; fits: boolean }[]
    added: string[]
    detected: string[]
    text: string
  }
}

const shippedLanguages = fileURLToPath(new URL('../../docroot/lang', import.meta.url))
const [sqlite, postgres] = engines
const servers = [
  { name: 'stdio on sqlite', connect: connectStdio, engine: sqlite },
  { name: 'http on sqlite', connect: connectHttp, engine: sqlite },
  { name: 'stdio on postgres', connect: connectStdio, engine: postgres },
]

for (const { name, connect, engine } of servers) {
  describe(`guide over ${name}`, () => {
    let connection: Connection
    let home: string
    let project: string
    let call: (tool: string, args?: Record<string, unknown>) => Promise<Body>
    const names = async (expression: string, pattern?: string) =>
      (await call('get_content', { expression, pattern })).value.documents.map((document) => document.name)
    const put = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    const document = (path: string, text: string) => put(join(home, 'docroot', path), text)

    beforeAll(async () => {
      const env = await engine?.fresh()
      home = env?.SECRETARY_HOME ?? ''
      project = join(temporaryFolder(), 'shop')
      put(join(project, 'pyproject.toml'), '')
      document('words/alpha.md', 'alpha body')
      document('words/beta.md', 'beta body')
      document('words/deep/gamma.md', 'gamma body')
      document('words/_hidden.md', 'hidden body')
      connection = await connect({ env: { ...env, SECRETARY_PROJECT: project }, clientName: 'tester' })
      call = async (tool, args) => (await connection.call(`guide_${tool}`, args)).body as unknown as Body
    })
    afterAll(() => connection.close())

    it('G1 takes name/pattern for the two-parameter form', async () => {
      const short = await call('get_content', { expression: 'lang/python' })
      expect(short.value.documents.map((one) => one.name)).toEqual(['lang/python.md'])
      expect(await call('get_content', { expression: 'lang', pattern: 'python' })).toEqual(short)
    })

    it('G2 gathers what matches any of several patterns', async () => {
      expect(await names('lang/python+go+rust')).toEqual(['lang/python.md', 'lang/go.md', 'lang/rust.md'])
    })

    it('G3 gives comma-separated parts in order', async () => {
      const found = await names('lang/python,docs/api,guidelines')
      expect(found.slice(0, 2)).toEqual(['lang/python.md', 'docs/api.md'])
      expect(found.slice(2).every((path) => path.startsWith('guidelines/'))).toBe(true)
      expect(found.length).toBeGreaterThan(5)
    })

    it('G4 prefers a collection to a category and splits at the first slash only', async () => {
      expect(await names('words/deep/gamma')).toEqual(['words/deep/gamma.md'])
      await call('collection_add', { name: 'words', categories: ['words/beta'] })
      expect(await names('words')).toEqual(['words/beta.md'])
      expect(await names('words/alpha')).toEqual(['words/alpha.md'])
      await call('collection_remove', { name: 'words' })
      expect(await names('words')).toEqual(['words/alpha.md', 'words/beta.md', 'words/deep/gamma.md'])
    })

    it("G4 lets an explicit pattern beat a collection's, which beats the category's", async () => {
      await call('category_add', { name: 'some', dir: 'words', patterns: ['alpha'] })
      await call('collection_add', { name: 'pack', categories: ['some/beta'] })
      expect(await names('some')).toEqual(['words/alpha.md'])
      expect(await names('pack')).toEqual(['words/beta.md'])
      expect(await names('pack/deep/gamma')).toEqual(['words/deep/gamma.md'])
    })

    it('G4 gives a document that several parts match once, and leaves out parts that begin with _', async () => {
      expect(await names('words/alpha,words')).toEqual(['words/alpha.md', 'words/beta.md', 'words/deep/gamma.md'])
      expect(await names('words/_hidden')).toEqual([])
    })

    it('G4 nests collections and refuses one that would contain itself, changing nothing', async () => {
      await call('collection_add', { name: 'inner', categories: ['words/alpha'] })
      await call('collection_add', { name: 'outer', categories: ['inner', 'words/beta'] })
      expect(await names('outer')).toEqual(['words/alpha.md', 'words/beta.md'])
      const refused = await call('collection_change', { name: 'inner', categories: ['outer'] })
      expect(refused).toMatchObject({ success: false, error_type: 'cycle', instruction: expect.stringMatching(/ask/) })
      expect(await names('inner')).toEqual(['words/alpha.md'])
    })

    it('G4 says so as a success when nothing is found, and fails on an unknown name', async () => {
      const none = await call('get_content', { expression: 'lang/cobol' })
      expect(none).toMatchObject({ success: true, message: expect.stringContaining('lang/cobol'), value: { total: 0 } })
      expect(none.instruction).toMatch(/not invent/i)
      const { body, result } = await connection.call('guide_get_content', { expression: 'nowhere' })
      expect(body).toMatchObject({ success: false, error_type: 'not_found', instruction: expect.stringContaining('lang') })
      expect(result.isError).toBe(true)
    })

    it.each([
      ['a boolean', true],
      ['a string', 'on'],
      ['a list', ['a', 'b']],
      ['a map', { a: 'b', c: ['d'] }],
    ])('G5 keeps %s as the value of a flag, and null removes it', async (_kind, value) => {
      expect((await call('set_project_flag', { name: 'typed', value })).success).toBe(true)
      expect((await call('get_project_flag', { name: 'typed' })).value.value).toEqual(value)
      await call('set_project_flag', { name: 'typed', value: null })
      expect((await call('get_project_flag', { name: 'typed' })).value.value).toBeNull()
    })

    it.each([5, 1.5, [1], { a: 5 }, { a: { b: 'c' } }])('G5 refuses the flag value %j and changes nothing', async (value) => {
      const refused = await call('set_project_flag', { name: 'wrong', value })
      expect(refused).toMatchObject({ success: false, error_type: 'validation_error', instruction: expect.any(String) })
      expect((await call('list_project_flags', { pattern: 'wrong' })).value.flags).toEqual({})
    })

    it.each(['', 'a b', 'a/b', '../x', 'a\0b', 'é!', 'x'.repeat(10_000)])('G5 refuses the flag name %j', async (flag) => {
      for (const tool of ['set_project_flag', 'get_project_flag', 'set_feature_flag', 'get_feature_flag']) {
        expect(await call(tool, { name: flag })).toMatchObject({ success: false, error_type: 'invalid_name' })
      }
    })

    it('G5 sets true without a value, lists by glob, and keeps names that objects are born with apart', async () => {
      await call('set_project_flag', { name: 'view-a' })
      await call('set_project_flag', { name: 'view-b' })
      expect((await call('list_project_flags', { pattern: 'view-*' })).value.flags).toEqual({ 'view-a': true, 'view-b': true })
      expect((await call('get_project_flag', { name: 'constructor' })).value.value).toBeNull()
    })

    it('G6 resolves project over global, while the global tools see the global scope alone', async () => {
      await call('set_feature_flag', { name: 'shared', value: 'global' })
      expect((await call('get_project_flag', { name: 'shared' })).value.value).toBe('global')
      await call('set_project_flag', { name: 'shared', value: 'own' })
      await call('set_project_flag', { name: 'mine', value: true })
      expect((await call('get_project_flag', { name: 'shared' })).value.value).toBe('own')
      expect((await call('list_project_flags')).value.flags).toMatchObject({ shared: 'own', mine: true })
      expect((await call('get_feature_flag', { name: 'shared' })).value.value).toBe('global')
      expect((await call('get_feature_flag', { name: 'mine' })).value.value).toBeNull()
      expect((await call('list_feature_flags')).value.flags).not.toHaveProperty('mine')
      await call('set_project_flag', { name: 'shared', value: null })
      expect((await call('get_project_flag', { name: 'shared' })).value.value).toBe('global')
    })

    const ask = async (...args: string[]) => {
      const given = Object.fromEntries(args.map((arg, place) => [`arg${(place + 1).toString(16).toUpperCase()}`, arg]))
      const { messages } = await connection.client.getPrompt({ name: 'guide', arguments: given })
      const content = messages[0]?.content
      return content?.type === 'text' ? content.text : ''
    }

    it('G7 I17 answers @guide lang/python with the document and its instruction', async () => {
      const text = await ask('lang/python', 'docs/api')
      expect(text).toContain('# Python')
      expect(text).toContain('# API documentation')
      expect(text).toContain('Follow these rules')
    })

    it.each([
      [':help', '@guide lang/python'],
      [':status', 'Rules in force'],
      [':project', 'Categories:'],
      [':flags', '# Flags'],
      [':tasks', 'Open tasks'],
    ])('G7 answers the command %s', async (command, expected) => {
      expect(await ask(command)).toContain(expected)
    })

    it('G7 shows open tasks, and turns a wrong word into a sentence', async () => {
      await connection.call('add_task', { title: 'Paint the shed' })
      expect(await ask(':tasks')).toContain('Paint the shed')
      expect(await ask(':nope')).toContain(':status')
      expect(await ask('nowhere')).toContain('There is no collection or category')
    })

    it('G7 I15 documents the prompt as *args with @guide, in four sections, and takes arg1 to argF', async () => {
      const { prompts } = await connection.client.listPrompts()
      const prompt = prompts.find((one) => one.name === 'guide')
      expect(prompt?.arguments?.map((one) => one.name)).toEqual([...'123456789ABCDEF'].map((digit) => `arg${digit}`))
      expect(prompt?.arguments?.every((one) => !one.required && one.description)).toBe(true)
      expect(prompt?.description).toMatch(
        /## Description[\s\S]*## Conceptual Schema[\s\S]*\*args[\s\S]*## Usage Instructions[\s\S]*@guide[\s\S]*## Concrete Examples/,
      )
      expect(prompt?.description).not.toMatch(/arg[1-9A-F]/)
    })

    it('G8 lets the project’s .guide win over the docroot, which wins over the shipped documents', async () => {
      document('lang/go.md', 'my own go')
      expect((await call('get_content', { expression: 'lang/go' })).value.content).toBe('my own go\n')
      put(join(project, '.guide/lang/go.md'), "the project's go")
      expect((await call('get_content', { expression: 'lang/go' })).value.content).toBe("the project's go\n")
    })

    it('G8 chooses documents by requires-<flag> and gives instructions by type, the important one first', async () => {
      document('front/a.md', '---\ntype: user/information\nrequires-team: web\n---\nfor the web team')
      document('front/b.md', '---\ninstruction: Ask first.\n---\nb')
      expect(await names('front')).toEqual(['front/b.md'])
      expect((await call('get_content', { expression: 'front' })).instruction).toBe('Ask first.')
      await call('set_project_flag', { name: 'team', value: ['web', 'api'] })
      expect(await names('front')).toEqual(['front/a.md', 'front/b.md'])
      expect((await call('get_content', { expression: 'front/a' })).instruction).toMatch(/Show this content to the person/)
      document('front/c.md', '---\ninstruction: ^Stop here.\n---\nc')
      expect((await call('get_content', { expression: 'front' })).instruction).toBe('Stop here.')
    })

    it('G8 renders project, client and flags, includes others, and leaves foreign braces alone', async () => {
      document('tpl/_part.md', 'part of {{project.name}}')
      document('tpl/page.md', "{{> tpl/_part}} {{flags.colour}} style={{ color: 'red' }} {{ user.name }}")
      await call('set_project_flag', { name: 'colour', value: '<blue>' })
      const { value } = await call('get_content', { expression: 'tpl' })
      expect(value.content).toBe("part of shop <blue> style={{ color: 'red' }} {{ user.name }}\n")
    })

    it('G8 names a document that fails, which costs only itself', async () => {
      document('bad/good.md', 'good')
      document('bad/yaml.md', '---\n{{{: [\n---\nx')
      document('bad/loop.md', '{{> bad/loop}}')
      document('bad/open.md', '{{#flags}} never closed')
      document('bad/gone.md', '---\nincludes: [bad/nowhere]\n---\nstill here')
      document('bad/large.md', 'x'.repeat(2 * 1024 * 1024))
      put(join(home, 'docroot/bad/binary.md'), 'a\0b')
      const { success, value } = await call('get_content', { expression: 'bad' })
      expect(success).toBe(true)
      expect(value.documents.map((one) => one.name)).toEqual(['bad/gone.md', 'bad/good.md'])
      const kinds = Object.fromEntries((value.problems ?? []).map((problem) => [problem.document, problem.error_type]))
      expect(kinds).toEqual({
        'bad/yaml.md': 'front_matter_error',
        'bad/loop.md': 'template_error',
        'bad/open.md': 'template_error',
        'bad/gone.md': 'not_found',
        'bad/large.md': 'too_large',
        'bad/binary.md': 'file_read_error',
      })
    })

    it('G8 does not follow a link out of the docroot or the project', async () => {
      const outside = temporaryFolder()
      put(join(outside, 'secret.md'), 'secret')
      document('links/inside.md', 'inside')
      symlinkSync(join(outside, 'secret.md'), join(home, 'docroot/links/out.md'))
      symlinkSync(outside, join(home, 'docroot/links/folder'))
      expect(await names('links')).toEqual(['links/inside.md'])
    })

    it('G8 joins documents plain or as multipart by the flag content-format', async () => {
      await call('set_project_flag', { name: 'content-format', value: 'plain' })
      expect((await call('get_content', { expression: 'words/alpha+beta' })).value.content).toBe(
        '--- words/alpha.md ---\nalpha body\n\n--- words/beta.md ---\nbeta body\n',
      )
      document('mime/ü.md', 'grüße')
      await call('set_project_flag', { name: 'content-format', value: 'mime' })
      const { content } = (await call('get_content', { expression: 'mime' })).value
      const boundary = /^Content-Type: multipart\/mixed; boundary="(.+)"\r\n/.exec(content)?.[1]
      expect(content).toContain(
        `--${boundary}\r\nContent-Type: text/markdown; charset=utf-8\r\nContent-Location: guide://mime/%C3%BC.md\r\nContent-Length: 7\r\n\r\ngrüße\r\n--${boundary}--\r\n`,
      )
      expect(await call('set_project_flag', { name: 'content-format', value: 'xml' })).toMatchObject({
        error_type: 'validation_error',
      })
      await call('set_project_flag', { name: 'content-format', value: null })
    })

    it('G8 shows a change on disk in the next call', async () => {
      for (const text of ['one', 'two', 'six', 'ten']) {
        document('fresh/page.md', text)
        expect((await call('get_content', { expression: 'fresh' })).value.content).toBe(`${text}\n`)
      }
    })

    it('bounds an answer by whole documents and says how to get the rest', async () => {
      for (let place = 0; place < 6; place++) document(`many/${place}.md`, `${place}`.repeat(20_000))
      const first = await call('get_content', { expression: 'many' })
      expect(first.value).toMatchObject({ total: 6, next_offset: 2 })
      expect(first.message).toContain('offset 2')
      const seen = [...first.value.documents]
      for (let offset = first.value.next_offset; offset !== undefined; ) {
        const { value } = await call('get_content', { expression: 'many', offset })
        seen.push(...value.documents)
        offset = value.next_offset
      }
      expect(seen.map((one) => one.name)).toEqual([0, 1, 2, 3, 4, 5].map((place) => `many/${place}.md`))
    })

    it('cuts one long document, and read_resource gives the rest', async () => {
      document('long/page.md', `${'x'.repeat(60_000)}END`)
      const { value } = await call('get_content', { expression: 'long' })
      expect(value.content).toContain('read_resource with uri guide://long/page.md and offset 48000')
      const rest = await call('read_resource', { uri: 'guide://long/page.md', offset: 48_000 })
      expect(rest.value.text).toBe(`${'x'.repeat(12_000)}END`)
    })

    it('G9 serves documents as resources, with completion, and through read_resource', async () => {
      const { resources } = await connection.client.listResources()
      expect(resources.map((one) => one.uri)).toContain('guide://lang/python.md')
      const { contents } = await connection.client.readResource({ uri: 'guide://lang/python.md' })
      const [first] = contents
      expect(first && 'text' in first ? first.text : '').toContain('# Python')
      expect((await call('read_resource', { uri: 'guide://lang/python' })).value.text).toContain('# Python')
      expect((await call('read_resource', { uri: 'guide://_status' })).value.text).toContain('Rules in force')
      const { resourceTemplates } = await connection.client.listResourceTemplates()
      const uri = resourceTemplates[0]?.uriTemplate ?? ''
      const completed = await connection.client.complete({
        ref: { type: 'ref/resource', uri },
        argument: { name: 'collection', value: 'la' },
      })
      expect(completed.completion.values).toContain('lang')
      await expect(connection.client.readResource({ uri: 'guide://lang/../../etc/passwd' })).rejects.toThrow()
    })

    it.each([
      'guide://nowhere/x',
      'guide://%ZZ',
      'file:///etc/passwd',
      'guide://../../etc/passwd',
      'guide://_nope',
      'guide://',
      '\0',
    ])('G9 refuses the address %j', async (uri) => {
      expect(await call('read_resource', { uri })).toMatchObject({ success: false, error_type: 'not_found' })
    })

    it('G10 I14 creates, updates and removes below the docroot only with the exact consent', async () => {
      const path = 'house/rules.md'
      for (const consent of [undefined, '', 'yes', 'create_document', true]) {
        const refused = await call('create_document', { path, content: 'x', consent })
        expect(refused).toMatchObject({
          success: false,
          error_type: 'validation_error',
          instruction: expect.stringContaining('Ask the person'),
        })
      }
      expect(existsSync(join(home, 'docroot', path))).toBe(false)
      expect((await call('create_document', { path, content: 'one', consent: 'CREATE_DOCUMENT' })).success).toBe(true)
      expect(await call('create_document', { path, content: 'two', consent: 'CREATE_DOCUMENT' })).toMatchObject({
        error_type: 'already_exists',
      })
      expect(readFileSync(join(home, 'docroot', path), 'utf8')).toBe('one')
      await call('update_document', { path, content: 'two', consent: 'UPDATE_DOCUMENT' })
      expect((await call('get_content', { expression: 'house' })).value.content).toBe('two\n')
      expect((await call('remove_document', { path, consent: 'REMOVE_DOCUMENT' })).success).toBe(true)
      expect(readdirSync(join(home, 'docroot/house'))).toEqual([])
    })

    it('G10 copies a shipped document when it is updated, and never removes it', async () => {
      const before = readFileSync(join(shippedLanguages, 'rust.md'), 'utf8')
      await call('update_document', { path: 'lang/rust.md', content: 'mine', consent: 'UPDATE_DOCUMENT' })
      expect((await call('get_content', { expression: 'lang/rust' })).value.content).toBe('mine\n')
      expect((await call('remove_document', { path: 'lang/rust.md', consent: 'REMOVE_DOCUMENT' })).success).toBe(true)
      expect((await call('get_content', { expression: 'lang/rust' })).value.content).toContain('# Rust')
      expect(await call('remove_document', { path: 'lang/rust.md', consent: 'REMOVE_DOCUMENT' })).toMatchObject({
        error_type: 'read_only',
      })
      expect(readFileSync(join(shippedLanguages, 'rust.md'), 'utf8')).toBe(before)
    })

    it.each([
      ['../out.md', 'traversal_attempt'],
      ['a/../../out.md', 'traversal_attempt'],
      ['/etc/out.md', 'absolute_path'],
      ['~/out.md', 'absolute_path'],
      ['a\0b.md', 'invalid_name'],
      ['a\\..\\b.md', 'invalid_name'],
      ['.hidden/x.md', 'invalid_name'],
      ['', 'invalid_name'],
      ['x'.repeat(10_000), 'invalid_name'],
    ])('G10 refuses to write to %j and writes nothing', async (path, errorType) => {
      const before = readdirSync(join(home, 'docroot')).sort()
      const refused = await call('create_document', { path, content: 'x', consent: 'CREATE_DOCUMENT' })
      expect(refused).toMatchObject({ success: false, error_type: errorType, instruction: expect.any(String) })
      expect(readdirSync(join(home, 'docroot')).sort()).toEqual(before)
    })

    it('G10 refuses a document that could not be read, one that is too large, and one behind a link', async () => {
      const create = (path: string, content: string) => call('create_document', { path, content, consent: 'CREATE_DOCUMENT' })
      expect(await create('n/a.md', '---\n[\n---\n')).toMatchObject({ error_type: 'front_matter_error' })
      expect(await create('n/a.md', '{{#a}}')).toMatchObject({ error_type: 'template_error' })
      expect(await create('n/a.md', 'x'.repeat(1_100_000))).toMatchObject({ error_type: 'too_large' })
      symlinkSync(temporaryFolder(), join(home, 'docroot/elsewhere'))
      expect(await create('elsewhere/a.md', 'x')).toMatchObject({ error_type: 'security_error' })
      expect(existsSync(join(home, 'docroot/n/a.md'))).toBe(false)
    })

    it('G11 is useful on the first day: languages, collections and a fitting profile', async () => {
      for (const language of ['typescript', 'python', 'go', 'rust']) {
        expect(await names(`lang/${language}`)).toEqual([`lang/${language}.md`])
      }
      const current = await call('get_project')
      expect(current.value.detected).toEqual(['python'])
      expect(current.instruction).toContain('python')
      expect(await names('project')).toContain('lang/python.md')
    })

    it('uses a profile once and again without a change', async () => {
      expect((await call('use_profile', { name: 'go' })).value.added).toEqual(['go'])
      expect((await call('use_profile', { name: 'go' })).value.added).toEqual([])
      const { profiles } = (await call('list_profiles')).value
      expect(profiles.map((profile) => profile.name)).toEqual([
        'typescript',
        'python',
        'go',
        'rust',
        'react',
        'docs',
        'testing',
        'security',
        'review',
      ])
      expect(profiles.find((profile) => profile.name === 'go')?.used).toBe(true)
      expect(await call('use_profile', { name: '../x' })).toMatchObject({ error_type: 'not_found' })
    })

    it('adds, changes, lists and removes categories; a removed default stays away', async () => {
      expect((await call('category_add', { name: 'ab', dir: 'words', patterns: ['a*'] })).success).toBe(true)
      expect(await call('category_add', { name: 'ab' })).toMatchObject({ error_type: 'already_exists' })
      await call('category_change', { name: 'ab', patterns: ['b*'] })
      expect(await names('ab')).toEqual(['words/beta.md'])
      const { files } = (await call('category_list_files', { name: 'ab' })).value
      expect(files).toEqual([{ uri: 'guide://ab/beta.md', layer: 'user', description: 'beta body' }])
      await call('category_remove', { name: 'ab' })
      expect(await call('get_content', { expression: 'ab' })).toMatchObject({ error_type: 'not_found' })
      await call('category_remove', { name: 'framework' })
      expect((await call('category_list')).value.categories.map((one) => one.name)).not.toContain('framework')
      expect((await call('category_add', { name: 'framework' })).success).toBe(true)
      expect(await names('framework/react')).toEqual(['framework/react.md'])
    })

    it.each([
      [{ name: '..' }, 'invalid_name'],
      [{ name: 'a/b' }, 'invalid_name'],
      [{ name: 'a\0' }, 'invalid_name'],
      [{ name: 'x'.repeat(10_000) }, 'invalid_name'],
      [{ name: 'ok', dir: '../..' }, 'traversal_attempt'],
      [{ name: 'ok', dir: '/etc' }, 'absolute_path'],
      [{ name: 'ok', patterns: ['../*'] }, 'invalid_pattern'],
      [{ name: 'ok', patterns: [] }, 'validation_error'],
      [{ name: 'ok', patterns: ['*a*a*a*a*a*b'] }, 'invalid_pattern'],
      [{ name: 'ok', description: 'x'.repeat(501) }, 'validation_error'],
    ])('refuses the category %j and changes nothing', async (args, errorType) => {
      const refused = await call('category_add', args)
      expect(refused).toMatchObject({ success: false, error_type: errorType, instruction: expect.any(String) })
      expect((await call('category_list')).value.categories.map((one) => one.name)).not.toContain('ok')
    })

    it.each([
      ['', 'invalid_expression'],
      [',,', 'invalid_expression'],
      ['../etc', 'invalid_name'],
      ['lang/../../etc', 'invalid_pattern'],
      ['lang/a\0', 'invalid_pattern'],
      ['x'.repeat(10_000), 'invalid_expression'],
    ])('refuses the expression %j', async (expression, errorType) => {
      expect(await call('get_content', { expression })).toMatchObject({ success: false, error_type: errorType })
    })

    it('knows this project first among the projects', async () => {
      expect((await call('list_projects')).value.projects[0]).toMatchObject({ name: 'shop', path: project })
    })

    it('I4 keeps the instruction for the agent apart from the message for the person', async () => {
      const { body, result } = await connection.call('guide_get_content', { expression: 'lang/cobol' })
      expect(body.message).not.toBe(body.instruction)
      expect(result.structuredContent).toEqual(body)
    })

    it('I15 I16 every tool has the four sections in order and describes every argument', async () => {
      const { tools } = await connection.client.listTools()
      const ours = tools.filter((tool) => tool.name.startsWith('guide_'))
      expect(ours).toHaveLength(24)
      for (const tool of ours) {
        expect(tool.description).toMatch(
          /^## Description\n[\s\S]*## JSON Schema\n```json\n[\s\S]*## Usage Instructions\n```\n[\s\S]*## Concrete Examples\n```\n/,
        )
        const firstLine = tool.description?.split('\n')[1] ?? ''
        expect(firstLine.length, tool.name).toBeLessThanOrEqual(55)
        for (const [argument, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
          expect((schema as { description?: string }).description, `${tool.name} ${argument}`).toBeTruthy()
        }
      }
      for (const tool of ours.filter(({ name }) => name.endsWith('_document'))) {
        expect(tool.description).toContain('REQUIRES EXPLICIT USER INSTRUCTION')
        expect(tool.description).toMatch(/frivolous/)
      }
    })
  })
}

it('two processes setting flags at once lose none and see each other’s', async () => {
  const env = { SECRETARY_HOME: join(temporaryFolder(), 'home'), SECRETARY_PROJECT: temporaryFolder() }
  const [one, two] = await Promise.all([connectStdio({ env }), connectStdio({ env })])
  const set = (connection: Connection, prefix: string) =>
    Promise.all(
      Array.from({ length: 40 }, (_, place) => connection.call('guide_set_project_flag', { name: `${prefix}${place}` })),
    )
  await Promise.all([set(one, 'a'), set(two, 'b')])
  for (const connection of [one, two]) {
    const { body } = await connection.call('guide_list_project_flags')
    expect((body as unknown as Body).value.total).toBe(80)
  }
  await Promise.all([one.close(), two.close()])
})

it('announces that the list of resources changed', async () => {
  const connection = await connectStdio()
  const announced = new Promise<void>((resolve) => {
    connection.client.setNotificationHandler('notifications/resources/list_changed', () => resolve())
  })
  await connection.call('guide_create_document', { path: 'a/b.md', content: 'x', consent: 'CREATE_DOCUMENT' })
  await announced
  await connection.close()
})

it('G7 shows something useful for :status on a fresh machine', async () => {
  const connection = await connectStdio({ env: { SECRETARY_PROJECT: temporaryFolder() } })
  const { messages } = await connection.client.getPrompt({ name: 'guide', arguments: { arg1: ':status' } })
  const content = messages[0]?.content
  const text = content?.type === 'text' ? content.text : ''
  expect(text).toMatch(/Rules in force \(\d\d?\)/)
  expect(text).toContain('Error handling')
  await connection.close()
})

it('I13 offers the example tool only for exactly true', async () => {
  for (const [value, expected] of [
    ['true', 1],
    ['TRUE', 0],
    ['1', 0],
  ] as const) {
    const connection = await connectStdio({ env: { MCP_INCLUDE_EXAMPLE_TOOLS: value } })
    const { tools } = await connection.client.listTools()
    expect(tools.filter((tool) => tool.name.includes('example'))).toHaveLength(expected)
    await connection.close()
  }
})

it('I18 each tool and prompt module points to the template beside it', () => {
  for (const folder of ['tools', 'prompts']) {
    const path = fileURLToPath(new URL(`../../src/guide/${folder}`, import.meta.url))
    const files = readdirSync(path)
    expect(files).toContain('README.md')
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      expect(readFileSync(join(path, file), 'utf8'), file).toContain('// Template: ./README.md')
    }
  }
})

it('says in our own words that the docroot cannot be written', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'docroot'))
  writeFileSync(join(home, 'docroot/taken'), '')
  chmodSync(join(home, 'docroot/taken'), 0o600)
  const connection = await connectStdio({ env: { SECRETARY_HOME: home } })
  const { body } = await connection.call('guide_create_document', {
    path: 'taken/x.md',
    content: 'x',
    consent: 'CREATE_DOCUMENT',
  })
  expect(body).toMatchObject({ success: false, error_type: 'save_error' })
  await connection.close()
})

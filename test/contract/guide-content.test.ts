import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GuideHouse, guideServers, openHouse, put } from '../support/guide-house.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

for (const server of guideServers) {
  describe(`guide content over ${server.name}`, () => {
    let house: GuideHouse

    beforeAll(async () => {
      house = await openHouse(server)
    })
    afterAll(() => house.connection.close())

    it('G1 takes name/pattern for the two-parameter form', async () => {
      const short = await house.call('get_content', { expression: 'lang/python' })
      expect(short.value.documents.map((one) => one.name)).toEqual(['lang/python.md'])
      expect(await house.call('get_content', { expression: 'lang', pattern: 'python' })).toEqual(
        short,
      )
    })

    it('G2 gathers what matches any of several patterns', async () => {
      expect(await house.names('lang/python+go+rust')).toEqual([
        'lang/python.md',
        'lang/go.md',
        'lang/rust.md',
      ])
    })

    it('G3 gives comma-separated parts in order', async () => {
      const found = await house.names('lang/python,docs/api,guidelines')
      expect(found.slice(0, 2)).toEqual(['lang/python.md', 'docs/api.md'])
      expect(found.slice(2).every((path) => path.startsWith('guidelines/'))).toBe(true)
      expect(found.length).toBeGreaterThan(5)
    })

    it('G4 prefers a collection to a category and splits at the first slash only', async () => {
      expect(await house.names('words/deep/gamma')).toEqual(['words/deep/gamma.md'])
      await house.call('collection_add', { name: 'words', categories: ['words/beta'] })
      expect(await house.names('words')).toEqual(['words/beta.md'])
      expect(await house.names('words/alpha')).toEqual(['words/alpha.md'])
      await house.call('collection_remove', { name: 'words' })
      expect(await house.names('words')).toEqual([
        'words/alpha.md',
        'words/beta.md',
        'words/deep/gamma.md',
      ])
    })

    it("G4 lets an explicit pattern beat a collection's, which beats the category's", async () => {
      await house.call('category_add', { name: 'some', dir: 'words', patterns: ['alpha'] })
      await house.call('collection_add', { name: 'pack', categories: ['some/beta'] })
      expect(await house.names('some')).toEqual(['words/alpha.md'])
      expect(await house.names('pack')).toEqual(['words/beta.md'])
      expect(await house.names('pack/deep/gamma')).toEqual(['words/deep/gamma.md'])
    })

    it('G4 gives a document that several parts match once, and leaves out parts that begin with _', async () => {
      expect(await house.names('words/alpha,words')).toEqual([
        'words/alpha.md',
        'words/beta.md',
        'words/deep/gamma.md',
      ])
      expect(await house.names('words/_hidden')).toEqual([])
    })

    it('G4 nests collections and refuses one that would contain itself, changing nothing', async () => {
      await house.call('collection_add', { name: 'inner', categories: ['words/alpha'] })
      await house.call('collection_add', { name: 'outer', categories: ['inner', 'words/beta'] })
      expect(await house.names('outer')).toEqual(['words/alpha.md', 'words/beta.md'])
      const refused = await house.attempt('collection_change', {
        name: 'inner',
        categories: ['outer'],
      })
      expect(refused).toMatchObject({
        success: false,
        error_type: 'cycle',
        instruction: expect.stringMatching(/ask/),
      })
      expect(await house.names('inner')).toEqual(['words/alpha.md'])
    })

    it('G4 says so as a success when nothing is found, and fails on an unknown name', async () => {
      const none = await house.call('get_content', { expression: 'lang/cobol' })
      expect(none).toMatchObject({
        success: true,
        message: expect.stringContaining('lang/cobol'),
        value: { total: 0 },
      })
      expect(none.instruction).toMatch(/not invent/i)
      const { body, result } = await house.connection.attempt('guide_get_content', {
        expression: 'nowhere',
      })
      expect(body).toMatchObject({
        success: false,
        error_type: 'not_found',
        instruction: expect.stringContaining('lang'),
      })
      expect(result.isError).toBe(true)
    })

    it('G8 lets the project’s .guide win over the docroot, which wins over the shipped documents', async () => {
      house.document('lang/go.md', 'my own go')
      expect((await house.call('get_content', { expression: 'lang/go' })).value.content).toBe(
        'my own go\n',
      )
      house.ownDocument('lang/go.md', "the project's go")
      expect((await house.call('get_content', { expression: 'lang/go' })).value.content).toBe(
        "the project's go\n",
      )
    })

    it('G8 chooses documents by requires-<flag> and gives instructions by type, the important one first', async () => {
      house.document(
        'front/a.md',
        '---\ntype: user/information\nrequires-team: web\n---\nfor the web team',
      )
      house.document('front/b.md', '---\ninstruction: Ask first.\n---\nb')
      expect(await house.names('front')).toEqual(['front/b.md'])
      expect((await house.call('get_content', { expression: 'front' })).instruction).toBe(
        'Ask first.',
      )
      await house.call('set_project_flag', { name: 'team', value: ['web', 'api'] })
      expect(await house.names('front')).toEqual(['front/a.md', 'front/b.md'])
      expect((await house.call('get_content', { expression: 'front/a' })).instruction).toMatch(
        /Show this content to the person/,
      )
      house.document('front/c.md', '---\ninstruction: ^Stop here.\n---\nc')
      expect((await house.call('get_content', { expression: 'front' })).instruction).toBe(
        'Stop here.',
      )
    })

    it('G8 renders project, client and flags, includes others, and leaves foreign braces alone', async () => {
      house.document('tpl/_part.md', 'part of {{project.name}}')
      house.document(
        'tpl/page.md',
        "{{> tpl/_part}} {{flags.colour}} style={{ color: 'red' }} {{ user.name }}",
      )
      await house.call('set_project_flag', { name: 'colour', value: '<blue>' })
      const { value } = await house.call('get_content', { expression: 'tpl' })
      expect(value.content).toBe("part of shop <blue> style={{ color: 'red' }} {{ user.name }}\n")
    })

    it('G8 names a document that fails, which costs only itself', async () => {
      house.document('bad/good.md', 'good')
      house.document('bad/yaml.md', '---\n{{{: [\n---\nx')
      house.document('bad/loop.md', '{{> bad/loop}}')
      house.document('bad/open.md', '{{#flags}} never closed')
      house.document('bad/gone.md', '---\nincludes: [bad/nowhere]\n---\nstill here')
      house.document('bad/large.md', 'x'.repeat(2 * 1024 * 1024))
      put(join(house.home, 'docroot/bad/binary.md'), 'a\0b')
      const { success, value } = await house.call('get_content', { expression: 'bad' })
      expect(success).toBe(true)
      expect(value.documents.map((one) => one.name)).toEqual(['bad/gone.md', 'bad/good.md'])
      const kinds = Object.fromEntries(
        (value.problems ?? []).map((problem) => [problem.document, problem.error_type]),
      )
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
      house.document('links/inside.md', 'inside')
      symlinkSync(join(outside, 'secret.md'), join(house.home, 'docroot/links/out.md'))
      symlinkSync(outside, join(house.home, 'docroot/links/folder'))
      expect(await house.names('links')).toEqual(['links/inside.md'])
    })

    it('G8 joins documents plain or as multipart by the flag content-format', async () => {
      await house.call('set_project_flag', { name: 'content-format', value: 'plain' })
      expect(
        (await house.call('get_content', { expression: 'words/alpha+beta' })).value.content,
      ).toBe('--- words/alpha.md ---\nalpha body\n\n--- words/beta.md ---\nbeta body\n')
      house.document('mime/ü.md', 'grüße')
      await house.call('set_project_flag', { name: 'content-format', value: 'mime' })
      const { content } = (await house.call('get_content', { expression: 'mime' })).value
      const boundary = /^Content-Type: multipart\/mixed; boundary="(.+)"\r\n/.exec(content)?.[1]
      expect(content).toContain(
        `--${boundary}\r\nContent-Type: text/markdown; charset=utf-8\r\nContent-Location: guide://mime/%C3%BC.md\r\nContent-Length: 7\r\n\r\ngrüße\r\n--${boundary}--\r\n`,
      )
      expect(
        await house.attempt('set_project_flag', { name: 'content-format', value: 'xml' }),
      ).toMatchObject({
        error_type: 'validation_error',
      })
      await house.call('set_project_flag', { name: 'content-format', value: null })
    })

    it('G8 shows a change on disk in the next call', async () => {
      for (const text of ['one', 'two', 'six', 'ten']) {
        house.document('fresh/page.md', text)
        expect((await house.call('get_content', { expression: 'fresh' })).value.content).toBe(
          `${text}\n`,
        )
      }
    })

    it('bounds an answer by whole documents and says how to get the rest', async () => {
      for (let place = 0; place < 6; place++)
        house.document(`many/${place}.md`, `${place}`.repeat(20_000))
      const first = await house.call('get_content', { expression: 'many' })
      expect(first.value).toMatchObject({ total: 6, next_offset: 2 })
      expect(first.message).toContain('offset 2')
      const seen = [...first.value.documents]
      for (let offset = first.value.next_offset; offset !== undefined; ) {
        const { value } = await house.call('get_content', { expression: 'many', offset })
        seen.push(...value.documents)
        offset = value.next_offset
      }
      expect(seen.map((one) => one.name)).toEqual(
        [0, 1, 2, 3, 4, 5].map((place) => `many/${place}.md`),
      )
    })

    it('cuts one long document, and read_resource gives the rest', async () => {
      house.document('long/page.md', `${'x'.repeat(60_000)}END`)
      const { value } = await house.call('get_content', { expression: 'long' })
      expect(value.content).toContain('the rest is at guide://long/page.md, from offset 48000')
      const rest = await house.call('read_resource', {
        uri: 'guide://long/page.md',
        offset: 48_000,
      })
      expect(rest.value.text).toBe(`${'x'.repeat(12_000)}END`)
    })

    it.each([
      ['', 'invalid_expression'],
      [',,', 'invalid_expression'],
      ['../etc', 'invalid_name'],
      ['lang/../../etc', 'invalid_pattern'],
      ['lang/a\0', 'invalid_pattern'],
      ['x'.repeat(10_000), 'invalid_expression'],
    ])('refuses the expression %j', async (expression, errorType) => {
      expect(await house.attempt('get_content', { expression })).toMatchObject({
        success: false,
        error_type: errorType,
      })
    })
  })
}

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GuideHouse, guideServers, openHouse } from '../support/guide-house.ts'
import { connect } from '../support/setups.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const shippedLanguages = fileURLToPath(new URL('../../docroot/lang', import.meta.url))

for (const server of guideServers) {
  describe(`guide documents over ${server.name}`, () => {
    let house: GuideHouse

    beforeAll(async () => {
      house = await openHouse(server)
    })
    afterAll(() => house.connection.close())

    it('G9 serves documents as resources, with completion, and through read_resource', async () => {
      const { resources } = await house.connection.client.listResources()
      expect(resources.map((one) => one.uri)).toContain('guide://lang/python.md')
      const { contents } = await house.connection.client.readResource({
        uri: 'guide://lang/python.md',
      })
      const [first] = contents
      expect(first && 'text' in first ? first.text : '').toContain('# Python')
      expect(
        (await house.call('read_resource', { uri: 'guide://lang/python' })).value.text,
      ).toContain('# Python')
      expect((await house.call('read_resource', { uri: 'guide://_status' })).value.text).toContain(
        'Rules in force',
      )
      const { resourceTemplates } = await house.connection.client.listResourceTemplates()
      const uri = resourceTemplates[0]?.uriTemplate ?? ''
      const completed = await house.connection.client.complete({
        ref: { type: 'ref/resource', uri },
        argument: { name: 'collection', value: 'la' },
      })
      expect(completed.completion.values).toContain('lang')
      await expect(
        house.connection.client.readResource({ uri: 'guide://lang/../../etc/passwd' }),
      ).rejects.toThrow()
    })

    it.each([
      'guide://nowhere/x',
      'guide://%ZZ',
      'file:///etc/passwd',
      'guide://../../etc/passwd',
      'guide://_nope',
      'guide://_constructor',
      'guide://',
      '\0',
    ])('G9 refuses the address %j', async (uri) => {
      expect(await house.attempt('read_resource', { uri })).toMatchObject({
        success: false,
        error_type: 'not_found',
      })
    })

    it('G10 I14 creates, updates and removes below the docroot only with the exact consent', async () => {
      const path = 'house/rules.md'
      for (const consent of [undefined, '', 'yes', 'create_document', true]) {
        const refused = await house.attempt('create_document', { path, content: 'x', consent })
        expect(refused).toMatchObject({
          success: false,
          error_type: 'validation_error',
          instruction: expect.stringContaining('Ask the person'),
        })
      }
      expect(existsSync(join(house.home, 'docroot', path))).toBe(false)
      expect(
        (await house.call('create_document', { path, content: 'one', consent: 'CREATE_DOCUMENT' }))
          .success,
      ).toBe(true)
      expect(
        await house.attempt('create_document', {
          path,
          content: 'two',
          consent: 'CREATE_DOCUMENT',
        }),
      ).toMatchObject({
        error_type: 'already_exists',
      })
      expect(readFileSync(join(house.home, 'docroot', path), 'utf8')).toBe('one')
      await house.call('update_document', { path, content: 'two', consent: 'UPDATE_DOCUMENT' })
      expect((await house.call('get_content', { expression: 'house' })).value.content).toBe('two\n')
      expect(
        (await house.call('remove_document', { path, consent: 'REMOVE_DOCUMENT' })).success,
      ).toBe(true)
      expect(readdirSync(join(house.home, 'docroot/house'))).toEqual([])
    })

    it('G10 copies a shipped document when it is updated, and never removes it', async () => {
      const before = readFileSync(join(shippedLanguages, 'rust.md'), 'utf8')
      await house.call('update_document', {
        path: 'lang/rust.md',
        content: 'mine',
        consent: 'UPDATE_DOCUMENT',
      })
      expect((await house.call('get_content', { expression: 'lang/rust' })).value.content).toBe(
        'mine\n',
      )
      expect(
        (await house.call('remove_document', { path: 'lang/rust.md', consent: 'REMOVE_DOCUMENT' }))
          .success,
      ).toBe(true)
      expect(
        (await house.call('get_content', { expression: 'lang/rust' })).value.content,
      ).toContain('# Rust')
      expect(
        await house.attempt('remove_document', {
          path: 'lang/rust.md',
          consent: 'REMOVE_DOCUMENT',
        }),
      ).toMatchObject({
        error_type: 'read_only',
      })
      expect(readFileSync(join(shippedLanguages, 'rust.md'), 'utf8')).toBe(before)
    })

    it("G10 leaves the project's own documents to the repository", async () => {
      const path = join(house.project, '.guide/own/rule.md')
      house.ownDocument('own/rule.md', 'own')
      for (const [tool, consent] of [
        ['update_document', 'UPDATE_DOCUMENT'],
        ['remove_document', 'REMOVE_DOCUMENT'],
      ] as const) {
        const refused = await house.attempt(tool, {
          path: 'own/rule.md',
          ...(tool === 'update_document' ? { content: 'x' } : {}),
          consent,
        })
        expect(refused).toMatchObject({
          success: false,
          error_type: 'read_only',
          instruction: expect.any(String),
        })
      }
      expect(readFileSync(path, 'utf8')).toBe('own')
      expect(existsSync(join(house.home, 'docroot/own'))).toBe(false)
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
      const before = readdirSync(join(house.home, 'docroot')).sort()
      const refused = await house.attempt('create_document', {
        path,
        content: 'x',
        consent: 'CREATE_DOCUMENT',
      })
      expect(refused).toMatchObject({
        success: false,
        error_type: errorType,
        instruction: expect.any(String),
      })
      expect(readdirSync(join(house.home, 'docroot')).sort()).toEqual(before)
    })

    it('G10 refuses a document that could not be read, one that is too large, and one behind a link', async () => {
      const create = (path: string, content: string) =>
        house.attempt('create_document', { path, content, consent: 'CREATE_DOCUMENT' })
      expect(await create('n/a.md', '---\n[\n---\n')).toMatchObject({
        error_type: 'front_matter_error',
      })
      expect(await create('n/a.md', '{{#a}}')).toMatchObject({ error_type: 'template_error' })
      expect(await create('n/a.md', 'x'.repeat(1_100_000))).toMatchObject({
        error_type: 'too_large',
      })
      symlinkSync(temporaryFolder(), join(house.home, 'docroot/elsewhere'))
      expect(await create('elsewhere/a.md', 'x')).toMatchObject({ error_type: 'security_error' })
      expect(existsSync(join(house.home, 'docroot/n/a.md'))).toBe(false)
    })
  })
}

it('announces that the list of resources changed', async () => {
  const connection = await connect()
  const announced = new Promise<void>((resolve) => {
    connection.client.setNotificationHandler('notifications/resources/list_changed', () =>
      resolve(),
    )
  })
  await connection.call('guide_create_document', {
    path: 'a/b.md',
    content: 'x',
    consent: 'CREATE_DOCUMENT',
  })
  await announced
  await connection.close()
})

it('says in our own words that the docroot cannot be written', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'docroot'))
  writeFileSync(join(home, 'docroot/taken'), '')
  const connection = await connect({ env: { SECRETARY_HOME: home } })
  const { body } = await connection.attempt('guide_create_document', {
    path: 'taken/x.md',
    content: 'x',
    consent: 'CREATE_DOCUMENT',
  })
  expect(body).toMatchObject({ success: false, error_type: 'save_error' })
  await connection.close()
})

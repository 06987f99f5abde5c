import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GuideHouse, guideServers, openHouse } from '../support/guide-house.ts'
import { connect } from '../support/setups.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

for (const server of guideServers) {
  describe(`guide projects over ${server.name}`, () => {
    let house: GuideHouse

    beforeAll(async () => {
      house = await openHouse(server)
    })
    afterAll(() => house.connection.close())

    it.each(['category', 'collection'])(
      'G3 a change of a %s that changes nothing is refused',
      async (kind) => {
        await house.connection.call(`guide_${kind}_add`, {
          name: 'idle',
          ...(kind === 'category' ? { dir: 'lang' } : { categories: ['lang'] }),
        })
        const { body, result } = await house.connection.attempt(`guide_${kind}_change`, {
          name: 'idle',
        })
        expect(result.isError).toBe(true)
        expect(body).toMatchObject({
          error: 'Give at least one field to change',
          error_type: 'validation_error',
        })
        await house.connection.call(`guide_${kind}_remove`, { name: 'idle' })
      },
    )

    it('G11 is useful on the first day: languages, collections and a fitting profile', async () => {
      for (const language of ['typescript', 'python', 'go', 'rust']) {
        expect(await house.names(`lang/${language}`)).toEqual([`lang/${language}.md`])
      }
      const current = await house.call('get_project')
      expect(current.value.detected).toEqual(['python'])
      expect(current.instruction).toContain('python')
      expect(await house.names('project')).toContain('lang/python.md')
    })

    it('uses a profile once and again without a change', async () => {
      expect((await house.call('use_profile', { name: 'go' })).value.added).toEqual(['go'])
      expect((await house.call('use_profile', { name: 'go' })).value.added).toEqual([])
      const { profiles } = (await house.call('list_profiles')).value
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
      expect(await house.attempt('use_profile', { name: '../x' })).toMatchObject({
        error_type: 'not_found',
      })
    })

    it('adds, changes, lists and removes categories; a removed default stays away', async () => {
      expect(
        (await house.call('category_add', { name: 'ab', dir: 'words', patterns: ['a*'] })).success,
      ).toBe(true)
      expect(await house.attempt('category_add', { name: 'ab' })).toMatchObject({
        error_type: 'already_exists',
      })
      await house.call('category_change', { name: 'ab', patterns: ['b*'] })
      expect(await house.names('ab')).toEqual(['words/beta.md'])
      const { files } = (await house.call('category_list_files', { name: 'ab' })).value
      expect(files).toEqual([
        { uri: 'guide://ab/beta.md', layer: 'user', description: 'beta body' },
      ])
      await house.call('category_remove', { name: 'ab' })
      expect(await house.attempt('get_content', { expression: 'ab' })).toMatchObject({
        error_type: 'not_found',
      })
      await house.call('category_remove', { name: 'framework' })
      expect(
        (await house.call('category_list')).value.categories.map((one) => one.name),
      ).not.toContain('framework')
      expect((await house.call('category_add', { name: 'framework' })).success).toBe(true)
      expect(await house.names('framework/react')).toEqual(['framework/react.md'])
    })

    it('G8 renames categories and collections, and the collections that name them follow', async () => {
      const collections = async () =>
        Object.fromEntries(
          (await house.call('collection_list')).value.collections.map(({ name, categories }) => [
            name,
            categories,
          ]),
        )
      await house.call('category_add', { name: 'old', dir: 'words', patterns: ['a*'] })
      await house.call('collection_add', {
        name: 'near',
        categories: ['old/b*+alpha,words', 'old', 'docs'],
      })
      await house.call('collection_add', { name: 'far', categories: ['near/a*'] })
      expect(
        await house.call('category_change', { name: 'old', new_name: 'new', description: 'x' }),
      ).toMatchObject({
        value: { name: 'new', dir: 'words', patterns: ['a*'], description: 'x' },
        message: 'Category old is now new; changed with it: near',
      })
      expect((await collections()).near).toEqual(['new/b*+alpha,words', 'new', 'docs'])
      expect(await house.names('new')).toEqual(['words/alpha.md'])
      expect(await house.attempt('get_content', { expression: 'old' })).toMatchObject({
        error_type: 'not_found',
      })

      expect(
        (await house.call('collection_change', { name: 'near', new_name: 'close' })).success,
      ).toBe(true)
      expect(await collections()).toMatchObject({
        far: ['close/a*'],
        close: ['new/b*+alpha,words', 'new', 'docs'],
      })
      expect(await collections()).not.toHaveProperty('near')

      expect(
        (await house.call('category_change', { name: 'guidelines', new_name: 'house' })).success,
      ).toBe(true)
      expect((await collections()).quality).toContain('house')
      expect(
        (await house.call('category_list')).value.categories.map((one) => one.name),
      ).not.toContain('guidelines')
      expect((await house.names('quality')).some((name) => name.startsWith('guidelines/'))).toBe(
        true,
      )
    })

    it.each([
      [{ name: 'words', new_name: 'lang' }, 'already_exists'],
      [{ name: 'words', new_name: 'quality' }, 'already_exists'],
      [{ name: 'words', new_name: '../x' }, 'invalid_name'],
      [{ name: 'nowhere', new_name: 'ok' }, 'not_found'],
      [{ name: 'words', new_name: 'ok', patterns: ['../*'] }, 'invalid_pattern'],
    ])('G8 refuses the new name in %j and changes nothing', async (args, errorType) => {
      const before = await house.call('category_list')
      const refused = await house.attempt('category_change', args)
      expect(refused).toMatchObject({
        success: false,
        error_type: errorType,
        instruction: expect.any(String),
      })
      expect(await house.call('category_list')).toEqual(before)
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
      const refused = await house.attempt('category_add', args)
      expect(refused).toMatchObject({
        success: false,
        error_type: errorType,
        instruction: expect.any(String),
      })
      expect(
        (await house.call('category_list')).value.categories.map((one) => one.name),
      ).not.toContain('ok')
    })

    it('knows this project first among the projects', async () => {
      expect((await house.call('list_projects')).value.projects[0]).toMatchObject({
        name: 'shop',
        path: house.project,
      })
    })

    it('I4 keeps the instruction for the agent apart from the message for the person', async () => {
      const { body, result } = await house.connection.call('guide_get_content', {
        expression: 'lang/cobol',
      })
      expect(body.message).not.toBe(body.instruction)
      expect(result.structuredContent).toEqual(body)
    })

    it('I15 I16 every tool has the four sections in order and describes every argument', async () => {
      const { tools } = await house.connection.client.listTools()
      const ours = tools.filter((tool) => tool.name.startsWith('guide_'))
      expect(ours).toHaveLength(24)
      for (const tool of ours) {
        expect(tool.description).toMatch(
          /^## Description\n[\s\S]*## JSON Schema\n```json\n[\s\S]*## Usage Instructions\n```\n[\s\S]*## Concrete Examples\n```\n/,
        )
        const firstLine = tool.description?.split('\n')[1] ?? ''
        expect(firstLine.length, tool.name).toBeLessThanOrEqual(50)
        for (const [argument, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
          expect(
            (schema as { description?: string }).description,
            `${tool.name} ${argument}`,
          ).toBeTruthy()
        }
      }
      for (const tool of ours.filter(({ name }) => name.endsWith('_document'))) {
        expect(tool.description).toContain('REQUIRES EXPLICIT USER INSTRUCTION')
        expect(tool.description).toMatch(/frivolous/)
      }
    })
  })
}

it('G7 shows something useful for :status on a fresh machine', async () => {
  const connection = await connect({ env: { SECRETARY_PROJECT: temporaryFolder() } })
  const { messages } = await connection.client.getPrompt({
    name: 'guide',
    arguments: { arg1: ':status' },
  })
  const content = messages[0]?.content
  const text = content?.type === 'text' ? content.text : ''
  expect(text).toContain('No rule is in force')
  expect(text).toContain('use_profile')
  await connection.close()
})

it('I13 offers the example tool only for exactly true', async () => {
  for (const [value, expected] of [
    ['true', 1],
    ['TRUE', 0],
    ['1', 0],
  ] as const) {
    const connection = await connect({ env: { MCP_INCLUDE_EXAMPLE_TOOLS: value } })
    const { tools } = await connection.client.listTools()
    expect(tools.filter((tool) => tool.name.includes('example'))).toHaveLength(expected)
    await connection.close()
  }
})

it('I18 each tool and prompt module points to the template beside it', () => {
  for (const folder of ['tools', 'prompts']) {
    const path = fileURLToPath(
      new URL(`../../packages/secretary/src/guide/${folder}`, import.meta.url),
    )
    const files = readdirSync(path)
    expect(files).toContain('README.md')
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      expect(readFileSync(join(path, file), 'utf8'), file).toContain('// Template: ./README.md')
    }
  }
})

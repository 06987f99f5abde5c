import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../support/engines.ts'
import { type Body, type GuideHouse, guideServers, openHouse } from '../support/guide-house.ts'
import type { Connection } from '../support/mcp-client.ts'
import { connect } from '../support/setups.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

for (const server of guideServers) {
  describe(`guide flags over ${server.name}`, () => {
    let house: GuideHouse

    beforeAll(async () => {
      house = await openHouse(server)
    })
    afterAll(() => house.connection.close())

    it.each([
      ['a boolean', true],
      ['a string', 'on'],
      ['a list', ['a', 'b']],
      ['a map', { a: 'b', c: ['d'] }],
    ])('G5 keeps %s as the value of a flag, and null removes it', async (_kind, value) => {
      expect((await house.call('set_project_flag', { name: 'typed', value })).success).toBe(true)
      expect((await house.call('get_project_flag', { name: 'typed' })).value.value).toEqual(value)
      await house.call('set_project_flag', { name: 'typed', value: null })
      expect((await house.call('get_project_flag', { name: 'typed' })).value.value).toBeNull()
    })

    it.each([5, 1.5, [1], { a: 5 }, { a: { b: 'c' } }])(
      'G5 refuses the flag value %j and changes nothing',
      async (value) => {
        const refused = await house.attempt('set_project_flag', { name: 'wrong', value })
        expect(refused).toMatchObject({
          success: false,
          error_type: 'validation_error',
          instruction: expect.any(String),
        })
        expect((await house.call('list_project_flags', { pattern: 'wrong' })).value.flags).toEqual(
          {},
        )
      },
    )

    it.each(['', 'a b', 'a/b', '../x', 'a\0b', 'é!', 'x'.repeat(10_000)])(
      'G5 refuses the flag name %j',
      async (flag) => {
        for (const tool of [
          'set_project_flag',
          'get_project_flag',
          'set_feature_flag',
          'get_feature_flag',
        ]) {
          expect(await house.attempt(tool, { name: flag })).toMatchObject({
            success: false,
            error_type: 'invalid_name',
          })
        }
      },
    )

    it('G5 sets true without a value, lists by glob, and keeps names that objects are born with apart', async () => {
      await house.call('set_project_flag', { name: 'view-a' })
      await house.call('set_project_flag', { name: 'view-b' })
      expect((await house.call('list_project_flags', { pattern: 'view-*' })).value.flags).toEqual({
        'view-a': true,
        'view-b': true,
      })
      expect((await house.call('get_project_flag', { name: 'constructor' })).value.value).toBeNull()
    })

    it('G6 resolves project over global, while the global tools see the global scope alone', async () => {
      await house.call('set_feature_flag', { name: 'shared', value: 'global' })
      expect((await house.call('get_project_flag', { name: 'shared' })).value.value).toBe('global')
      await house.call('set_project_flag', { name: 'shared', value: 'own' })
      await house.call('set_project_flag', { name: 'mine', value: true })
      expect((await house.call('get_project_flag', { name: 'shared' })).value.value).toBe('own')
      expect((await house.call('list_project_flags')).value.flags).toMatchObject({
        shared: 'own',
        mine: true,
      })
      expect((await house.call('get_feature_flag', { name: 'shared' })).value.value).toBe('global')
      expect((await house.call('get_feature_flag', { name: 'mine' })).value.value).toBeNull()
      expect((await house.call('list_feature_flags')).value.flags).not.toHaveProperty('mine')
      await house.call('set_project_flag', { name: 'shared', value: null })
      expect((await house.call('get_project_flag', { name: 'shared' })).value.value).toBe('global')
    })
  })
}

it.each(engines)(
  'two processes setting flags at once on $name lose none and see each other’s',
  async (engine) => {
    const env = { ...(await engine.fresh()), SECRETARY_PROJECT: temporaryFolder() }
    const [one, two] = await Promise.all([connect({ env }), connect({ env })])
    const set = (connection: Connection, prefix: string) =>
      Promise.all(
        Array.from({ length: 40 }, (_, place) =>
          connection.call('guide_set_project_flag', { name: `${prefix}${place}` }),
        ),
      )
    await Promise.all([set(one, 'a'), set(two, 'b')])
    for (const connection of [one, two]) {
      const { body } = await connection.call<Body>('guide_list_project_flags')
      expect(body.value.total).toBe(80)
    }
    await Promise.all([one.close(), two.close()])
  },
)

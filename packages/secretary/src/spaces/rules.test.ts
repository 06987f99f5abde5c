import { describe, expect, it } from 'vitest'
import type { SpaceRole } from '../space.ts'
import { checkMemberChange, may, rolesThatMay } from './rules.ts'

const roles = new Map<string, SpaceRole>([
  ['ada', 'operator'],
  ['bob', 'member'],
  ['eve', 'reader'],
])
const refusal = (actor: string, user: string, role?: SpaceRole, among = roles) => {
  try {
    checkMemberChange(among, actor, { user, role })
    return undefined
  } catch (error) {
    return (error as { errorType: string }).errorType
  }
}

describe('in a space', () => {
  it('each role may do what the ones below may, and more', () => {
    expect(rolesThatMay('read')).toEqual(['reader', 'member', 'operator'])
    expect(rolesThatMay('contribute')).toEqual(['member', 'operator'])
    expect(may('member', 'manage')).toBe(false)
  })

  it('operators alone change who belongs to it', () => {
    expect(refusal('ada', 'carol', 'reader')).toBeUndefined()
    expect(refusal('ada', 'bob')).toBeUndefined()
    for (const actor of ['bob', 'eve']) {
      expect(refusal(actor, 'carol', 'reader')).toBe('forbidden')
      expect(refusal(actor, actor, 'operator')).toBe('forbidden')
      expect(refusal(actor, 'ada')).toBe('forbidden')
    }
    expect(refusal('mallory', 'mallory', 'reader')).toBe('not_found')
  })

  it('everyone may leave, except the last operator', () => {
    expect(refusal('bob', 'bob')).toBeUndefined()
    expect(refusal('eve', 'eve')).toBeUndefined()
    expect(refusal('ada', 'ada')).toBe('last_operator')
    expect(refusal('ada', 'ada', 'member')).toBe('last_operator')
    const two = new Map<string, SpaceRole>([...roles, ['bob', 'operator']])
    expect(refusal('ada', 'ada', undefined, two)).toBeUndefined()
    expect(refusal('ada', 'nobody')).toBe('not_found')
  })
})

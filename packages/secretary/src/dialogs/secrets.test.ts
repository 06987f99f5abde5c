import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { deedsHouse } from '../../../../test/support/deeds-house.ts'
import { line, noSignal } from '../../../../test/support/dialogs-service.ts'

const SECRET = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')

describe('a secret in a dialog', () => {
  it('is given back word for word, and kept nowhere', async () => {
    const house = deedsHouse()
    const about = { cwd: house.home.project, sessionId: 'a' }
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: `push ${SECRET}` } }
    const called = { ...about, type: 'assistant', message: { content: [call] } }
    house.home.claude('a.jsonl', `${line(`Use ${SECRET}`, about)}${JSON.stringify(called)}\n`)
    const { value } = await house.dialogs.getRequest(house.caller, 1, 'a', noSignal)
    expect(value?.request).toBe(`Use ${SECRET}`)
    const stored = readFileSync(house.home.path('.secretary', 'secretary.db-wal'), 'latin1')
    expect(stored).toContain('[redacted:github-token]')
    expect(stored).not.toContain(SECRET)
    for await (const turn of house.dialogs.turnsOfProject(house.caller, 0, noSignal))
      expect(turn.request).toBe('Use [redacted:github-token]')
  })

  it('is given back where its words are asked for, and nowhere else', async () => {
    const house = deedsHouse()
    const asked = `Always push price.ts with ${SECRET}, the db password is Wombat77!`
    house.home.claude('a.jsonl', line(asked, { cwd: house.home.project, sessionId: 'a' }))
    const { caller, dialogs } = house
    const answers = [
      await dialogs.searchRequests(caller, { query: 'push price', limit: 5 }, noSignal),
      await dialogs.deeds.ledger(caller, { sessionId: 'a', limit: 9, offset: 0 }, noSignal),
    ]
    for (const answer of answers) {
      expect(JSON.stringify(answer)).toContain('[redacted:github-token]')
      expect(JSON.stringify(answer)).not.toMatch(/Wombat77|a1B2c3D4/)
    }
  })
})

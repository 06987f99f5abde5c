import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment, transports } from '../support/mcp-client.ts'

function furnished(): Record<string, string> {
  const env = isolatedEnvironment({ SECRETARY_RATE_LIMITS: 'off' })
  const folder = join(String(env.SECRETARY_PROJECT), 'src')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'refresh.ts'),
    'export function refreshToken(token: string) {\n  return token\n}\n',
  )
  return env
}

describe.each(transports)('context_pack over $name', ({ connect }) => {
  it('gives what to read first, within the budget', async () => {
    const house = await connect({ env: furnished() })
    const pack = async () =>
      (await house.call('context_pack', { goal: 'refresh the token', budget: 1_000 })).body as {
        parts: { kind: string; file?: string }[]
        tokens: number
      }
    await expect
      .poll(async () => (await pack()).parts)
      .toContainEqual(expect.objectContaining({ kind: 'code', file: 'src/refresh.ts' }))
    expect((await pack()).tokens).toBeLessThanOrEqual(1_000)
    const { body, result } = await house.attempt('context_pack', { goal: 'x'.repeat(8_001) })
    expect(result.isError).toBe(true)
    expect(body.error).toBe('Invalid parameters')
    await house.close()
  })
})

describe('secretary pack', () => {
  it('prints markdown for an agent without MCP', () => {
    const env = furnished()
    const { stdout, status } = spawnSync(
      process.execPath,
      [binary, 'pack', 'refresh', 'the', 'token', '--budget', '1000'],
      { env, encoding: 'utf8' },
    )
    expect(status).toBe(0)
    expect(stdout).toMatch(/^# refresh the token\n/)
    expect(stdout).toMatch(/## src\/refresh\.ts:1-3 refreshToken[\s\S]*```ts\n> export function/)
    expect(stdout).toMatch(/About \d+ tokens\./)
  })
})

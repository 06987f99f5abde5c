import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { SourceName } from './source-names.ts'
import { readTokenUse, type TokenUse } from './token-use.ts'

const folder = mkdtempSync(join(tmpdir(), 'token-use-'))
afterAll(() => rmSync(folder, { recursive: true }))

const AT = '2026-11-19T10:00:00.000Z'
const samples = new URL('../../../test/samples/dialogs/', import.meta.url).pathname
const never = { signal: new AbortController().signal, warn: () => {} }

async function usesIn(source: SourceName, lines: readonly object[], name = 'one.jsonl') {
  const path = join(folder, name)
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  return readTokenUse(source, path, never)
}

function sum(uses: readonly TokenUse[]) {
  const of = (name: 'input' | 'output' | 'cacheRead' | 'cacheWrite') =>
    uses.reduce((all, use) => all + use[name], 0)
  return [of('input'), of('output'), of('cacheRead'), of('cacheWrite')]
}

describe('what Claude Code took', () => {
  const line = (id: string, output: number, more: object = {}) => ({
    type: 'assistant',
    timestamp: AT,
    requestId: `req-${id}`,
    message: {
      id,
      model: 'claude-opus-4-5',
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 900,
        cache_creation_input_tokens: 50,
        output_tokens: output,
      },
    },
    ...more,
  })

  it('counts an answer that stands on several lines once, as it ended', async () => {
    const uses = await usesIn('claude-code', [line('a', 1), line('a', 1), line('a', 200)])
    expect(uses).toEqual([
      {
        id: 'a req-a',
        at: Date.parse(AT),
        model: 'claude-opus-4-5',
        ...{ input: 10, output: 200, cacheRead: 900, cacheWrite: 50 },
      },
    ])
  })

  it('counts subagents, and nothing that the program wrote in the model’s name', async () => {
    const helpers = join(folder, 'lead', 'subagents')
    mkdirSync(helpers, { recursive: true })
    writeFileSync(join(helpers, 'agent-1.jsonl'), `${JSON.stringify(line('b', 7))}\n`)
    const made = { type: 'assistant', message: { id: 'c', model: '<synthetic>', usage: {} } }
    const uses = await usesIn('claude-code', [line('a', 5), made], 'lead.jsonl')
    expect(sum(uses)).toEqual([20, 12, 1800, 100])
  })
})

describe('what Codex took', () => {
  const count = (input: number, cached: number, output: number, last?: number[]) => ({
    timestamp: AT,
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: {
        total_token_usage: {
          input_tokens: input,
          cached_input_tokens: cached,
          output_tokens: output,
          reasoning_output_tokens: 1,
        },
        last_token_usage: {
          input_tokens: last?.[0],
          cached_input_tokens: last?.[1],
          output_tokens: last?.[2],
        },
      },
    },
  })

  it('counts what came since the last count, and a repeated count not at all', async () => {
    const uses = await usesIn('codex', [
      { type: 'turn_context', payload: { model: 'gpt-5.2-codex' } },
      { timestamp: AT, type: 'event_msg', payload: { type: 'token_count', info: null } },
      count(1000, 0, 50),
      count(1000, 0, 50),
      count(2500, 900, 80),
    ])
    expect(uses.map(({ model }) => model)).toEqual(['gpt-5.2-codex', 'gpt-5.2-codex'])
    expect(sum(uses)).toEqual([1600, 80, 900, 0])
  })

  it('goes on by the last answer where the count begins again', async () => {
    const uses = await usesIn('codex', [count(5000, 0, 100), count(700, 200, 9, [700, 200, 9])])
    expect(sum(uses)).toEqual([5500, 109, 200, 0])
  })
})

describe('what is in real files', () => {
  const real: readonly (readonly [SourceName, string, number])[] = [
    [
      'gemini-cli',
      'gemini-cli/real/.gemini/tmp/shop/chats/session-2026-11-16T19-14-ef300fe7.jsonl',
      1200,
    ],
    [
      'qwen-code',
      'qwen-code/real/.qwen/projects/-shop/chats/f34b2e43-0ef4-494b-9e29-fefc9aab7eec.jsonl',
      1200,
    ],
    [
      'pi',
      'pi/real/.pi/agent/sessions/--shop--/2026-11-16T10-12-59-115Z_01a1e3d8-806a-7595-8850-419e33cf4522.jsonl',
      1200,
    ],
  ]

  it.each(real)('is found: %s', async (source, path, each) => {
    const uses = await readTokenUse(source, join(samples, path), never)
    expect(uses.length).toBeGreaterThan(0)
    // The scripted model says the same of every answer.
    expect(sum(uses)).toEqual([each * uses.length, 20 * uses.length, 0, 0])
    expect(uses.every(({ at }) => at !== undefined)).toBe(true)
  })
})

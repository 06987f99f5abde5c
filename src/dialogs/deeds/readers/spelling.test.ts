import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DeedCollector } from '../deed-collector.ts'
import type { DeedFormat } from '../deed-format.ts'
import { claudeDeeds } from './claude-code.ts'
import { codexDeeds } from './codex.ts'
import { copilotDeeds } from './copilot-cli.ts'
import { droidDeeds } from './droid.ts'
import { geminiDeeds } from './gemini-cli.ts'
import { kimiDeeds } from './kimi.ts'
import { piDeeds } from './pi.ts'
import { qwenDeeds } from './qwen-code.ts'

const SAMPLES = new URL('../../../../test/samples/dialogs/', import.meta.url).pathname
const formats: Readonly<Record<string, DeedFormat>> = {
  'claude-code': claudeDeeds,
  codex: codexDeeds,
  'copilot-cli': copilotDeeds,
  droid: droidDeeds,
  'gemini-cli': geminiDeeds,
  kimi: kimiDeeds,
  pi: piDeeds,
  'qwen-code': qwenDeeds,
}

/** Every transcript of an agent among the samples, as its records. */
function transcripts(agent: string): unknown[][] {
  const names = readdirSync(join(SAMPLES, agent), { recursive: true }).map(String)
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) =>
      readFileSync(join(SAMPLES, agent, name), 'utf8')
        .split('\n')
        .flatMap((line) => {
          try {
            return [JSON.parse(line)]
          } catch {
            return []
          }
        }),
    )
}

/** What a format reads from records that are written in some way. */
function deedsOf(
  format: DeedFormat,
  records: readonly unknown[],
  write: (record: unknown) => string,
) {
  const collector = new DeedCollector()
  for (const [at, record] of records.entries()) {
    const line = Buffer.from(write(record))
    const glanced = format.glance(line, collector.waiting)
    collector.take(glanced === 'parse' ? format.read(JSON.parse(line.toString())) : glanced, at)
  }
  return collector.finish().deeds
}

/** As Python writes it: a blank behind each colon and comma, and nothing but ASCII. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`)
      .join(', ')}}`
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** With its keys in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reversed(one)]),
  )
}

describe.each(Object.entries(formats))('deeds of %s', (agent, format) => {
  it('are the same in other spacing and with the keys in another order', () => {
    let count = 0
    for (const records of transcripts(agent)) {
      const wanted = deedsOf(format, records, (record) => JSON.stringify(record))
      count += wanted.length
      expect(deedsOf(format, records, spaced)).toEqual(wanted)
      expect(deedsOf(format, records, (record) => JSON.stringify(reversed(record)))).toEqual(wanted)
      expect(deedsOf(format, records, (record) => spaced(reversed(record)))).toEqual(wanted)
    }
    expect(count).toBeGreaterThan(0)
  })
})

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noSignal } from '../../../../test/support/dialogs-service.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { type Mark, type ReadResult, requestsOf } from '../dialog.ts'
import type { Source } from '../source.ts'
import { createSources } from './sources.ts'

const SAMPLES = new URL('../../../../test/samples/dialogs/', import.meta.url).pathname
const AGENTS = 'claude-code codex copilot-cli droid gemini-cli kimi pi qwen-code'.split(' ')
const sources = createSources({ home: '/nowhere', platform: 'linux' })

/** As Python writes it: a blank behind each colon and comma, and nothing but ASCII. */
function spaced(value: unknown, colon = ': '): string {
  if (Array.isArray(value)) return `[${value.map((one) => spaced(one, colon)).join(', ')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, one]) => `${JSON.stringify(key)}${colon}${spaced(one, colon)}`)
      .join(', ')}}`
  return escaped(JSON.stringify(value), /[\u0080-\uffff]/g)
}

function escaped(json: string, signs: RegExp): string {
  return json.replace(signs, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
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

const plain = (record: unknown) => JSON.stringify(record)
const spellings: Readonly<Record<string, (records: readonly unknown[]) => string>> = {
  'other spacing': (records) => records.map((one) => spaced(one)).join('\n'),
  'blanks on both sides of a colon': (records) =>
    records.map((record) => spaced(record, ' : ')).join('\n'),
  'another order of keys': (records) => records.map((one) => plain(reversed(one))).join('\n'),
  'another order and spacing': (records) => records.map((one) => spaced(reversed(one))).join('\n'),
  'a byte order mark': (records) => `\ufeff${records.map(plain).join('\n')}`,
  'the line ends of Windows': (records) => `${records.map(plain).join('\r\n')}\r\n`,
  'indented lines': (records) => records.map((record) => `  ${plain(record)}`).join('\n\n'),
  'signs of HTML escaped': (records) =>
    records.map((record) => escaped(plain(record), /[<>&']/g)).join('\n'),
  'slashes escaped': (records) =>
    records.map((record) => plain(record).replaceAll('/', '\\/')).join('\n'),
}

/** Every transcript of an agent among the samples, as its records. */
function transcripts(agent: string): { name: string; records: unknown[] }[] {
  const names = readdirSync(join(SAMPLES, agent), { recursive: true }).map(String)
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({
      name,
      records: readFileSync(join(SAMPLES, agent, name), 'utf8')
        .split('\n')
        .flatMap((line) => {
          try {
            return [JSON.parse(line)]
          } catch {
            return []
          }
        }),
    }))
}

async function readSpelled(source: Source, path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const { size, mtimeMs } = statSync(path)
  const warnings: string[] = []
  const context = {
    signal: noSignal,
    warn: (_path: string, why: string) => void warnings.push(why),
    wantsDeeds: true,
  }
  const found = { key: path, path, size, mtimeMs }
  const reading = await source.read(found, undefined, context)
  const requests = await Promise.all(requestsOf(reading).map((mark) => source.text(path, mark)))
  const answers: unknown[] = []
  for await (const { answer } of source.turns(found, reading, context)) answers.push(answer)
  return { ...withoutPlaces(reading), requests, answers, warnings }
}

/** Where it stands in the file depends on how it is written; what it says does not. */
function withoutPlaces({ marks, deeds = [], waiting = [], ...reading }: ReadResult) {
  const markOf = ({ at: _at, size: _size, ...mark }: Mark) => mark
  const { offset: _offset, seam: _seam, base: _base, ...about } = reading
  return {
    ...about,
    marks: marks.map(markOf),
    deeds: deeds.map(({ at: _at, ...deed }) => deed),
    waiting: waiting.map(({ at: _at, ...deed }) => deed),
  }
}

describe.each(AGENTS)('a transcript of %s', (agent) => {
  const source = sources.find(({ name }) => name === agent)
  it.each(Object.entries(spellings))('says the same with %s', async (_name, write) => {
    if (!source) throw new Error(`no source ${agent}`)
    let count = 0
    for (const { name, records } of transcripts(agent)) {
      const path = join(temporaryFolder(), name)
      const wanted = await readSpelled(source, path, records.map(plain).join('\n'))
      count += wanted.requests.length + wanted.deeds.length
      expect(await readSpelled(source, path, write(records))).toEqual(wanted)
    }
    expect(count).toBeGreaterThan(0)
  })
})

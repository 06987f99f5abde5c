import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { loggable } from '@secretary-mcp/core/calls.ts'
import { endedAtWord, excerptOf } from '@secretary-mcp/core/excerpt.ts'
import { isNeverShown } from '@secretary-mcp/core/files/excluded-paths.ts'
import { hidePrivateKeys, linesWithKeys } from '@secretary-mcp/core/files/private-keys.ts'
import { globMatcher } from '@secretary-mcp/core/glob.ts'
import { quoteBlock, quoteLine } from '@secretary-mcp/core/quote.ts'
import { redact, redactBeginning } from '@secretary-mcp/core/redact.ts'
import { fitTokens } from '@secretary-mcp/core/token-estimate.ts'
import { chunkMarkdown } from '@secretary-mcp/search/chunks/chunker.ts'
import { createProjectFilter } from '@secretary-mcp/search/indexer/project-files.ts'
import { questionParts, tracedPaths } from '@secretary-mcp/search/ranking/query.ts'
import { isImportsOnly } from '@secretary-mcp/search/ranking/search-all.ts'
import { textOutline } from '@secretary-mcp/search/syntax/text-outline.ts'
import { indexTerms } from '@secretary-mcp/search/text/index-terms.ts'
import { parseIntents } from '@secretary-mcp/secretary/agent/rules/parse-intent.ts'
import { tomlEntries } from '@secretary-mcp/secretary/cli/clients/entry-form.ts'
import { textWidth, visibleText } from '@secretary-mcp/secretary/cli/visible-text.ts'
import {
  moduleNear,
  pathsIn,
  sentencesOf,
} from '@secretary-mcp/secretary/context/discoveries/extract.ts'
import { nameGlob } from '@secretary-mcp/secretary/context/grep/grep.ts'
import { parseLooseJson } from '@secretary-mcp/secretary/context/imports/languages/script.ts'
import { questionBefore } from '@secretary-mcp/secretary/dialogs/bare-reply.ts'
import { withoutPlaces } from '@secretary-mcp/secretary/dialogs/sharing/request-sharing.ts'
import { standingNow } from '@secretary-mcp/secretary/dialogs/standing.ts'
import { parseBlame } from '@secretary-mcp/secretary/dialogs/why/blame.ts'
import { matchHere, presentLines } from '@secretary-mcp/secretary/dialogs/why/match-lines.ts'
import { fillGaps } from '@secretary-mcp/secretary/dialogs/why/why.ts'
import { aroundHit, parseWanted } from '@secretary-mcp/secretary/find/find.ts'
import { parseTemplate } from '@secretary-mcp/secretary/guide/documents/parse-document.ts'
import { parseWatchBlock } from '@secretary-mcp/secretary/guide/documents/watch-block.ts'
import { parseYaml } from '@secretary-mcp/secretary/guide/documents/yaml.ts'
import { renderTemplate } from '@secretary-mcp/secretary/guide/render-document.ts'
import { statedRules } from '@secretary-mcp/secretary/rules/suggest-rules.ts'
import { passagesOf, titleOf, typedText } from '@secretary-mcp/transcripts/authorship.ts'
import { diffLines, patchDeeds } from '@secretary-mcp/transcripts/deeds/call-deeds.ts'
import { printsOf } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import { lastLines } from '@secretary-mcp/transcripts/deeds/command-end.ts'
import { exitIn } from '@secretary-mcp/transcripts/deeds/done-call.ts'
import { isReadableCommand } from '@secretary-mcp/transcripts/deeds/runs/command-pattern.ts'
import {
  failureText,
  plainText,
  printedOutcomes,
} from '@secretary-mcp/transcripts/deeds/runs/printed-outcome.ts'
import { shellDeeds } from '@secretary-mcp/transcripts/deeds/shell-deeds.ts'
import { wordsIn } from '@secretary-mcp/transcripts/deeds/words-in.ts'
import { openForeign } from '@secretary-mcp/transcripts/foreign-database.ts'
import { shownLine } from '@secretary-mcp/transcripts/preview.ts'
import { linesOf } from '@secretary-mcp/transcripts/reading/lines.ts'
import { previewOf } from '@secretary-mcp/transcripts/redacted-preview.ts'
import { ownText } from '@secretary-mcp/transcripts/sources/claude-code.ts'
import { createSources } from '@secretary-mcp/transcripts/sources/sources.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lex } from '../../apps/dashboard/src/parts/markdown/lex.ts'
import { expectLinear, hostileTexts } from '../support/growth.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const call = { call: 'a', time: 1 }
const blamed = { commit: 'c'.repeat(40), authoredMs: 1, committedMs: 1 }

/** Everything that reads a text from outside. A function that takes one belongs here. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  redact,
  redactBeginning: (text) => redactBeginning(text, 200),
  loggable: (text) => loggable({ text }),
  hidePrivateKeys,
  linesWithKeys,
  isNeverShown,
  endedAtWord: (text) => endedAtWord(text, `${text}a`),
  nameGlob,
  globMatcher: (text) => globMatcher(text.slice(0, 500))(text),
  sentencesOf,
  diffLines,
  diffLinesOfBlocks: (text) => diffLines(`<<<<<<< SEARCH\n${text}`),
  exitIn,
  shellDeeds: (text) => shellDeeds(text, call),
  ownText,
  chunkMarkdown: (text) => chunkMarkdown(text.split('\n')),
  isImportsOnly,
  questionParts,
  tracedPaths,
  quoteLine,
  quoteBlock,
  visibleText,
  textWidth,
  parseIntents,
  pathsIn,
  moduleNear,
  parseLooseJson,
  excerptOf: (text) => excerptOf(text, 'price of', 300),
  fitTokens: (text) => fitTokens(text, 300),
  passagesOf,
  typedText,
  titleOf,
  questionBefore: (text) => questionBefore('yes', text),
  lastLines,
  printsOf: (text) => printsOf(text.split('\n')),
  patchDeeds: (text) => patchDeeds(`*** Begin Patch\n*** Update File: a.ts\n${text}`, call),
  printedOutcomes,
  plainText,
  failureText,
  wordsIn,
  previewOf,
  shownLine: (text) => shownLine(text, 80),
  withoutPlaces: (text) => withoutPlaces(text, ['/home/ada/shop'], '/home/ada'),
  standingNow: (text) => standingNow([text]),
  aroundHit: (text) => aroundHit(text, 'price'),
  parseWanted: (text) => parseWanted(text, 10),
  // Front matter is no longer than this.
  parseYaml: (text) => parseYaml(text.slice(0, 16_384)),
  indexTerms,
  statedRules,
  parseWatchBlock: (text) =>
    parseWatchBlock({ on: 'commit', files: [text], require: [text], forbid: [text] }),
  isReadableCommand,
  textOutline: (text) => textOutline(text.split('\n')),
  parseBlame,
  tomlEntries: (text) => orFails(() => tomlEntries(text)),
  template: (text) =>
    orFails(() =>
      renderTemplate(parseTemplate(text), { data: {}, partial: () => undefined, longest: 1e6 }),
    ),
  lex,
}

/** Refusing a text is an answer, too, but has to come as soon. */
function orFails(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}

const context = { signal: new AbortController().signal, warn: () => {}, wantsDeeds: true }
/** One agent of each family of files, and where its text comes from outside: in a line, in a document, as a page. */
const AGENTS: Readonly<Record<string, (text: string) => string>> = {
  'claude-code': (text) =>
    `${JSON.stringify({ type: 'user', message: { content: text } })}\n${text}`,
  codex: (text) =>
    `${JSON.stringify({ type: 'event_msg', payload: { type: 'user_message', message: text } })}\n${text}`,
  'gemini-cli': (text) => JSON.stringify({ messages: [{ type: 'user', content: text }] }),
  specstory: (text) => `_**User**_\n\n${text}`,
}

interface Store {
  readonly agent: string
  readonly pathIn: readonly string[]
  /** Writes a dialog in which this was asked, each with an answer. */
  readonly fill: (path: string, asked: readonly string[]) => void
}

/** The tables that opencode and Kilo keep their dialogs in. */
function fillTables(path: string, asked: readonly string[]): void {
  const db = new DatabaseSync(path)
  db.exec(`create table session (id text primary key, project_id text, parent_id text, directory text, title text,
      time_created integer, time_updated integer);
    create table message (id text primary key, session_id text, time_created integer, data text);
    create table part (id text primary key, message_id text, session_id text, time_created integer, data text);
    create index message_session on message (session_id); create index part_message on part (message_id);
    begin; insert into session values ('s', 'p', null, '/shop', 'a', 1, 2)`)
  const message = db.prepare("insert into message values (?, 's', ?, ?)")
  const part = db.prepare("insert into part values (?, ?, 's', ?, ?)")
  for (const [at, text] of asked.entries()) {
    const id = String(at).padStart(8, '0')
    message.run(`m${id}`, at * 2, JSON.stringify({ role: 'user' }))
    part.run(`p${id}`, `m${id}`, at * 2, JSON.stringify({ type: 'text', text }))
    const error = { name: 'MessageAbortedError' }
    message.run(`m${id}a`, at * 2 + 1, JSON.stringify({ role: 'assistant', error }))
    part.run(`p${id}a`, `m${id}a`, at * 2 + 1, JSON.stringify({ type: 'text', text }))
    const state = { status: 'completed', input: { command: 'npm test' }, output: text }
    const tool = { type: 'tool', tool: 'bash', state: { ...state, time: { start: 1, end: 2 } } }
    part.run(`p${id}b`, `m${id}a`, at * 2 + 1, JSON.stringify(tool))
  }
  db.exec('commit')
  db.close()
}

function fillCursor(path: string, rows: Iterable<readonly [key: string, value: object]>): void {
  const db = new DatabaseSync(path)
  db.exec('create table cursorDiskKV (key text unique on conflict replace, value blob); begin')
  const insert = db.prepare('insert into cursorDiskKV values (?, ?)')
  for (const [key, value] of rows) insert.run(key, JSON.stringify(value))
  db.exec('commit')
  db.close()
}

const bubblesOf = (asked: readonly string[]) =>
  asked.flatMap((text, at) => [
    { bubbleId: `${at}`, type: 1, text },
    { bubbleId: `${at}a`, type: 2, text },
  ])
const asRequest = (text: string, at: number) => ({
  requestId: `r${at}`,
  timestamp: 1_768_000_000_000 + at,
  message: { text },
  response: [{ value: text }],
})
const asLines = (lines: readonly object[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const CURSOR = ['.config', 'Cursor', 'User', 'globalStorage', 'state.vscdb']
const VSCODE = ['.config', 'Code', 'User', 'globalStorage', 'emptyWindowChatSessions', 'a.jsonl']

/** Agents whose dialogs are in a database or in a log of changes. */
const STORES: Readonly<Record<string, Store>> = {
  opencode: {
    agent: 'opencode',
    pathIn: ['.local', 'share', 'opencode', 'opencode.db'],
    fill: fillTables,
  },
  Kilo: { agent: 'kilo', pathIn: ['.local', 'share', 'kilo', 'kilo.db'], fill: fillTables },
  Cursor: {
    agent: 'cursor',
    pathIn: CURSOR,
    fill: (path, asked) => {
      const bubbles = bubblesOf(asked)
      const headers = bubbles.map(({ bubbleId, type }) => ({ bubbleId, type }))
      fillCursor(path, [
        ['composerData:c', { composerId: 'c', createdAt: 1, fullConversationHeadersOnly: headers }],
        ...bubbles.map((bubble) => [`bubbleId:c:${bubble.bubbleId}`, bubble] as const),
      ])
    },
  },
  'an older Cursor': {
    agent: 'cursor',
    pathIn: CURSOR,
    fill: (path, asked) =>
      fillCursor(path, [
        ['composerData:c', { composerId: 'c', createdAt: 1, conversation: bubblesOf(asked) }],
      ]),
  },
  'the state of VS Code': {
    agent: 'vscode',
    pathIn: VSCODE,
    fill: (path, asked) =>
      writeFileSync(
        path,
        asLines([{ kind: 0, v: { version: 3, sessionId: 'a', requests: asked.map(asRequest) } }]),
      ),
  },
  'the changes of VS Code': {
    agent: 'vscode',
    pathIn: VSCODE,
    fill: (path, asked) =>
      writeFileSync(
        path,
        asLines([
          { kind: 0, v: { version: 3, sessionId: 'a', requests: [] } },
          ...asked.flatMap((text, at) => [
            { kind: 2, k: ['requests'], v: [asRequest(text, at)] },
            { kind: 2, k: ['requests', at, 'response'], v: [{ value: text }] },
            { kind: 1, k: ['requests', at, 'message', 'text'], v: text },
          ]),
        ]),
      ),
  },
}

describe('a function that reads a text from outside', () => {
  const texts = hostileTexts()

  it.each(Object.entries(READERS))('%s takes time in proportion to it', async (_name, read) => {
    const chosen = fc.sample(fc.constantFrom(...texts), { numRuns: 12, seed: 5 })
    for (const textOf of new Set([...texts.filter((_, index) => index % 5 === 0), ...chosen]))
      await expectLinear(read, textOf)
  })

  it.each(Object.entries(AGENTS))(
    'the reader of %s takes time in proportion to its file',
    async (name, fileOf) => {
      const home = temporaryFolder()
      const source = createSources({ home, platform: 'linux', project: home }).find(
        (one) => one.name === name,
      )
      if (!source) throw new Error(`no source is called ${name}`)
      const path = join(home, name === 'gemini-cli' ? 'a.json' : 'a.jsonl')
      const read = async (text: string) => {
        writeFileSync(path, fileOf(text))
        const found = await source.stat(path, path)
        if (!found) throw new Error('the file is not there')
        return source.read(found, undefined, context)
      }
      for (const textOf of texts.filter((_, index) => index % 12 === 0))
        await expectLinear(read, textOf)
    },
  )

  it.each(Object.entries(STORES))(
    'the reader of %s takes time in proportion to what its store holds',
    async (_name, { agent, pathIn, fill }) => {
      const stores = new Map<string, { home: string; path: string }>()
      const storeOf = (key: string, write: (path: string) => void) => {
        const home = temporaryFolder()
        const path = join(home, ...pathIn)
        mkdirSync(dirname(path), { recursive: true })
        write(path)
        stores.set(key, { home, path })
        return key
      }
      // The store is there before its reader is measured.
      const read = async (key: string) => {
        const { home, path } = stores.get(key.trimEnd()) ?? { home: '', path: '' }
        const source = createSources({ home, platform: 'linux', project: home }, openForeign).find(
          ({ name }) => name === agent,
        )
        const [found] = (await source?.list(context)) ?? []
        if (!source || !found) throw new Error(`${path} was not found`)
        const reading = await source.read(found, undefined, context)
        let turns = 0
        for await (const turn of source.turns(found, reading, context)) turns += turn.position
        if (turns === 0) throw new Error(`${path} has no turns`)
      }
      for (const text of ['a ', 'password=', '[', '\n'])
        await expectLinear(read, (length) => {
          const key = `${text.trim() || 'n'}-${length}`
          const isKnown = stores.has(key)
          const whole = text.repeat(length / text.length)
          return isKnown ? key : storeOf(key, (path) => fill(path, ['a', whole, 'b']))
        })
      await expectLinear(read, (length) => {
        const key = `many-${length}`
        const texts = Array.from({ length: Math.ceil(length / 64) }, (_, at) => `asked ${at}`)
        return stores.has(key) ? key : storeOf(key, (path) => fill(path, texts))
      })
    },
    60_000,
  )

  it('the lines of a file and its rules of what to ignore take time in proportion to it', async () => {
    const root = temporaryFolder()
    const path = join(root, '.gitignore')
    const readLines = async (text: string) => {
      writeFileSync(path, text)
      for await (const lines of linesOf(path, 0, context)) lines.length
    }
    const readRules = (text: string) => {
      writeFileSync(path, text)
      const filter = createProjectFilter(root)
      filter.enter('')
      return filter.keepsFile('src/shop/price.ts')
    }
    for (const textOf of texts.filter((_, index) => index % 12 === 0)) {
      await expectLinear(readLines, textOf)
      await expectLinear(readRules, textOf)
    }
  })

  it('fails if it is quadratic', async () => {
    let sum = 0
    const quadratic = (text: string) => {
      for (let from = 0; from < text.length; from += 20)
        for (let at = from; at < text.length; at += 20) sum += text.charCodeAt(at)
    }
    await expect(expectLinear(quadratic, (length) => 'a'.repeat(length))).rejects.toThrow()
    expect(sum).toBeGreaterThan(0)
  })

  it('why explains a file of many lines in time in proportion to them', async () => {
    const explain = async (text: string) => {
      const all = text.split('\n')
      const lines = presentLines(
        all,
        all.map(() => blamed),
      )
      const came = lines.slice(0, lines.length / 2).map(({ print, indent }) => ({ print, indent }))
      return fillGaps(lines, await matchHere(lines, [{ request: 'a#1', time: 0, came }]))
    }
    for (const shape of ['const a = compute(1)\n', '}\n', 'x = 1\n}\n', '\n'])
      await expectLinear(explain, (length) => shape.repeat(Math.ceil(length / shape.length)))
  })
})

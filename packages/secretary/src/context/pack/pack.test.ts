import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { describe, expect, it } from 'vitest'
import { noSignal } from '../../../../../test/support/dialogs-service.ts'
import { engineFor } from '../../../../../test/support/search-engine-house.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { type Candidate, chooseParts, packFor, rulesFor } from './pack.ts'
import type { PackPorts } from './pack-types.ts'

const caller = { user: 'ada', project: '/p' } as Caller
const GOAL = 'refresh the token before it expires'
const FILES = {
  'src/tokens/refresh.ts':
    "import { readClock } from '../clock.ts'\nexport function refreshToken(token: Token) {\n  return token.expires < readClock() ? renew(token) : token\n}\n",
  'src/clock.ts': 'export function readClock(): number {\n  return Date.now()\n}\n',
  'src/tokens/refresh.test.ts':
    "test('refreshToken renews an expired token', () => {\n  refreshToken(old)\n})\n",
  'docs/tokens.md':
    '# Refresh the token before it expires\n\n## When\n\nA minute before.\n\n## How\n\nBy itself.\n',
  'src/mail/send.ts': 'export function sendMail(to: string) {\n  return to\n}\n',
}
const ports: PackPorts = {
  rules: async () => [{ text: 'Write a test for every change' }],
  wishes: async () => [
    { text: 'Prices are in cents', isPinned: true },
    { text: 'Never touch the payment form' },
  ],
  commands: async () => [{ command: 'npm test', kind: 'test', passed: 3 }],
}

async function packOf(goal: string, budget = 4_000, given: PackPorts = ports, project = '/p') {
  const { engine } = await engineFor({ files: FILES })
  await engine.index()
  await engine.putNotes([
    {
      id: 'd1',
      scope: 'ada',
      source: 'discovery',
      type: 'decision',
      content: 'Tokens are refreshed a minute before they expire',
      date: '2026-01-02T00:00:00Z',
    },
    {
      id: 'd2',
      scope: 'eve',
      source: 'discovery',
      type: 'decision',
      content: 'Tokens of eve are refreshed when they expire',
      date: '2026-01-02T00:00:00Z',
    },
    {
      id: 's/1',
      scope: 'ada',
      source: 'session',
      content: 'Refresh the token earlier\n\nDone. Always refresh the token before it expires.',
      session: 's',
      date: '2026-01-02T00:00:00Z',
    },
  ])
  const notes: Parameters<typeof packFor>[2]['notes'] = {
    findNotes: async ({ user }, wanted, signal) => [
      ...(await engine.search({ ...wanted, scopes: [user] }, signal)).results,
    ],
  }
  return packFor(
    { ...caller, project },
    { goal, budget },
    { engine, notes, ports: given },
    noSignal,
  )
}

describe('a pack', () => {
  it('holds the code, its test, what it calls, and what is known about it', async () => {
    const { parts, tokens, budget } = await packOf('refresh the token before it expires')
    const of = (kind: string) => parts.filter((part) => part.kind === kind)
    expect(of('code')[0]).toMatchObject({ file: 'src/tokens/refresh.ts' })
    expect(of('code').map(({ text }) => text.trim())).not.toContain(
      '# Refresh the token before it expires',
    )
    expect(of('test')).toMatchObject([{ file: 'src/tokens/refresh.test.ts' }])
    expect(of('signature')).toMatchObject([
      { file: 'src/clock.ts', text: 'export function readClock(): number {' },
    ])
    expect(of('rule')).toMatchObject([{ text: 'Write a test for every change' }])
    expect(of('wish')).toMatchObject([
      { text: 'Prices are in cents', why: 'pinned by the person' },
      { text: 'Never touch the payment form', why: 'the person asked for this from now on' },
    ])
    expect(of('command')).toMatchObject([{ text: 'npm test' }])
    expect(of('decision').map(({ text }) => text)).toEqual([
      'Tokens are refreshed a minute before they expire',
    ])
    expect(tokens).toBeLessThanOrEqual(budget)
    expect(parts.every(({ why, title }) => why !== '' && title !== '')).toBe(true)
  })

  it('says that the person asked for something only where they did, never of an answer', async () => {
    const { parts } = await packOf(GOAL, 4_000, {})
    expect(parts.filter(({ kind }) => kind === 'wish')).toEqual([])
    expect(parts.find(({ kind }) => kind === 'request')).toMatchObject({
      why: 'an earlier request about the same and its answer',
      session: 's',
      index: 1,
    })
  })

  it('takes the rules of CLAUDE.md and AGENTS.md for those of the project, and no others', async () => {
    const project = temporaryFolder()
    const rules = '# How we work\n\n- Tokens are only refreshed by the session service\n'
    writeFileSync(join(project, 'AGENTS.md'), rules)
    writeFileSync(join(project, 'CLAUDE.md'), `${rules}- Write commit messages in English\n`)
    const { parts } = await packOf(GOAL, 4_000, ports, project)
    const found = parts.filter(({ kind }) => kind === 'rule')
    expect(found.map(({ text, why }) => [text, why])).toEqual([
      ['Tokens are only refreshed by the session service', 'a rule of this project (AGENTS.md)'],
      ['Write commit messages in English', 'a rule of this project (CLAUDE.md)'],
      ['Write a test for every change', 'from the guide'],
    ])
  })

  it('stays within a small budget and names what it leaves out', async () => {
    const { parts, left, tokens } = await packOf('refresh the token before it expires', 300)
    expect(tokens).toBeLessThanOrEqual(300)
    expect(parts.length).toBeGreaterThan(0)
    expect(left.length).toBeGreaterThan(0)
  })

  it('does without a family that fails', async () => {
    const { parts } = await packOf('refresh the token', 4_000, {
      rules: () => Promise.reject(new Error('down')),
    })
    expect(parts.some(({ kind }) => kind === 'code')).toBe(true)
    expect(parts.some(({ kind }) => kind === 'rule')).toBe(false)
  })
})

describe('choosing parts', () => {
  const part = (line: number, worth: number, text = `text ${line}`): Candidate => ({
    kind: 'code',
    title: `a.ts:${line}`,
    why: 'matches',
    text,
    file: 'a.ts',
    line,
    endLine: line + 5,
    worth,
  })

  it('takes no lines twice, and prefers worth', () => {
    const { parts } = chooseParts([part(1, 1), part(3, 0.5), part(20, 0.2)], 4_000)
    expect(parts.map(({ line }) => line)).toEqual([1, 20])
  })

  it('takes a smaller part where a large one does not fit', () => {
    const { parts, left } = chooseParts([part(1, 1, 'word '.repeat(2_000)), part(20, 0.2)], 300)
    expect(parts.map(({ line }) => line)).toEqual([20])
    expect(left).toEqual([expect.stringMatching(/^a\.ts:1 \(code, \d+ tokens\)$/)])
  })
})

const RULES = [
  { text: 'TypeScript · Strict types', only: 'typescript' },
  { text: 'React · Honest effects', only: 'react' },
  { text: 'Node services · Time limits', only: 'node-services' },
  { text: 'Naming · One word for one idea' },
  { text: 'Error handling · Say what happened and what to do' },
]
const code = (file: string, text: string): Candidate => ({
  kind: 'code',
  title: file,
  why: 'matches the goal',
  text,
  file,
  worth: 1,
})
const titles = (goal: string, found: Candidate[]) =>
  rulesFor(goal, RULES, found).map(({ text }) => text.split(' ·')[0])

it('puts the rules first that speak of what the goal speaks of', () => {
  expect(titles('errors should say what to do', [])).toEqual(['Error handling', 'Naming'])
})

it('has rules of a language or a framework only where the code at hand or the goal is about it', () => {
  expect(titles('add a tool', [code('src/add.ts', 'export const add = 1')])).toEqual([
    'TypeScript',
    'Naming',
    'Error handling',
  ])
  expect(
    titles('add a tool', [code('a.py', 'x = 1'), code('b.tsx', "import React from 'react'")]),
  ).toEqual(['TypeScript', 'React', 'Naming', 'Error handling'])
  expect(titles('wait in a node service', [])).toContain('Node services')
})

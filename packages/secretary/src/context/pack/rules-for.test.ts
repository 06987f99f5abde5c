import { expect, it } from 'vitest'
import type { Candidate } from './choose-parts.ts'
import { rulesFor } from './rules-for.ts'

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

import { describe, expect, it } from 'vitest'
import { standingIn, standingNow } from './standing.ts'

describe('standing instructions', () => {
  it.each([
    'from now on answer in German',
    'In this repo we never touch the lock file by hand.',
    'I like small commits, remember that',
    'Never commit to main.',
    'Every time you change a schema, update the docs.',
    'Отныне пиши тесты к каждой функции.',
    'Ab jetzt immer auf Deutsch antworten.',
    '从现在开始用中文回答',
  ])('has %s', (sentence) => {
    expect(standingIn(`Add a page.\n${sentence}`)).toEqual([sentence])
  })

  it.each([
    'the callback never fires',
    'The header must always be shown.',
    "don't fix anything yet",
    'keep going',
    'never mind',
    'use a map instead of a list',
    'make sure the tests pass',
    'do you remember that bug?',
    'it should never be condensed',
    'we might want to improve this in future',
    '```\nfrom now on everything is pasted\n```',
    'Operation stopped by hook: from now on run the linter',
    'Implement the following plan:\n\n# Plan\n\nFrom now on use tabs.',
  ])('does not have %s', (message) => {
    expect(standingIn(message)).toEqual([])
  })

  it('are replaced by a later contradiction', () => {
    const first = 'From now on use spaces, always.'
    expect(standingNow([first, 'tabs after all'])).toEqual(['tabs after all'])
    expect(standingNow([first, 'From now on use tabs.'])).toEqual(['From now on use tabs.'])
    expect(standingNow([first, 'add spaces around the operator'])).toEqual([first])
  })
})

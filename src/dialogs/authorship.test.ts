import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askedIn, passagesOf, titleOf, typedText } from './authorship.ts'

const TRACE = `TypeError: Cannot read properties of undefined (reading 'name')
    at greet (src/greet.ts:12:5)
    at Object.<anonymous> (src/main.ts:3:1)`

describe('typedText', () => {
  it.each([
    ['a stack trace below a sentence', `Why does this fail?\n\n${TRACE}`, 'Why does this fail?'],
    ['a stack trace above a sentence', `${TRACE}\n\nplease fix this`, 'please fix this'],
    [
      'a log in the middle of the first line',
      'I ran it and got these errors: [Server] listening on 3000\n[Server] crashed\n[Server] exit 1',
      'I ran it and got these errors:',
    ],
    [
      'a diff',
      'apply this\ndiff --git a/x b/x\nindex 1234567..89abcde 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b',
      'apply this',
    ],
    [
      'a fenced block',
      'rename it\n```ts\nconst never = always()\n```\nthanks',
      'rename it\nthanks',
    ],
    [
      'a review comment',
      'handle this one\n\nMedium Severity\n> never trust the header\nAdditional Locations (1)',
      'handle this one',
    ],
    [
      'a copied answer',
      'you said\n⏺ I always run the tests\n  ⎿ 12 passed\nis that true?',
      'you said\nis that true?',
    ],
    [
      'hook output',
      'Operation stopped by hook: always run lint first\nand never push\n\ncontinue please',
      'continue please',
    ],
    ['a reminder', '<system-reminder>\nNever mention this\n</system-reminder>\nGo on', 'Go on'],
    [
      'terminal output',
      'still broken\n❯ go test ./...\n--- FAIL: TestX (0.00s)\nFAIL\texample.com/x\t0.01s',
      'still broken',
    ],
  ])('leaves out %s', (_what, message, typed) => {
    expect(typedText(message)).toBe(typed)
  })

  it.each([
    'ok lets get back to main',
    'From now on answer in German.',
    'Fix the login:\n- keep the cookie\n- add a test',
    'Исправь ошибку в форме входа.',
    'PASS the flag to the child process',
    'why is "name: foo" in the output?',
  ])('keeps a message that was typed: %s', (message) => {
    expect(typedText(message)).toBe(message)
  })

  it('has nothing of an approved plan or of a document with several headings', () => {
    const plan = 'Implement the following plan:\n\n# Plan: Sort tasks\n\nNever touch the table.'
    expect(typedText(plan)).toBe('')
    const document = `# Team prompt\n\n${'Always do it. '.repeat(60)}\n\n## Rules\n\nNever stop.`
    expect(typedText(document)).toBe('')
  })
})

describe('titleOf', () => {
  it.each([
    [
      'Implement the following plan:\n\n# Plan: Sort tasks by date\n\n## Context',
      'Sort tasks by date',
    ],
    [`${TRACE}\n\nplease fix this`, 'please fix this'],
    ['Add a page.\nAnd a test.', 'Add a page.'],
    ['# Big document\n\n## Part\n\ntext', 'Big document'],
  ])('titles %j', (message, title) => {
    expect(titleOf(message)).toBe(title)
  })
})

describe('askedIn', () => {
  it.each([
    '<task-notification>\n<task-id>1</task-id>\n</task-notification>',
    '<agent-notification>done</agent-notification>',
    '<teammate-message teammate_id="a">hi</teammate-message>',
    '[Request interrupted by user]',
    'Operation stopped by hook: no',
    'This session is being continued from a previous conversation that ran out of context.',
    '<command-name>/compact</command-name><command-args></command-args>',
    '<bash-input>git pull</bash-input>',
  ])('finds no request in %s', (message) => {
    expect(askedIn(message)).toBeUndefined()
  })
})

describe('passages', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      '',
      '```',
      '# Title',
      '    at x (a.ts:1:2)',
      '<system-reminder>',
      '[App] on',
      'why?',
    ),
  )

  it('are the whole message, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const message = lines.join('\n')
        expect(
          passagesOf(message)
            .map(({ text }) => text)
            .join(''),
        ).toBe(message)
      }),
    )
  })
})

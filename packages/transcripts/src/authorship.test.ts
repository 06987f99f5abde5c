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
    [
      'a trace of Rust',
      'the build fails\nerror[E0382]: borrow of moved value\n  --> src/main.rs:5:20\n   |\n4  |     let y = x;\n   |             - value moved here\nMake it compile',
      'the build fails\nMake it compile',
    ],
    [
      'a trace of PHP',
      'it dies\nPHP Fatal error:  Uncaught TypeError in /a.php:3\nStack trace:\n#0 /b.php(5): foo()\n  thrown in /a.php on line 3\n\nwhy?',
      'it dies\nwhy?',
    ],
    [
      'what rspec prints',
      'red again\n\nFailures:\n\n  1) User is valid\n     Failure/Error: expect(user).to be_valid\n       expected true, got false\n\n10 examples, 1 failure\n\nfix the model',
      'red again\nfix the model',
    ],
    [
      'the lines of a diff',
      'review it\n@@ -1,3 +1,3 @@\n the context\n-from now on old\n+from now on new\n\nis it ok?',
      'review it\nis it ok?',
    ],
    [
      'the paragraphs of a copied answer',
      '⏺ From now on the tests run in CI.\n\n  - added x\n\n  Shall I commit?\n\nno, rename x first',
      'no, rename x first',
    ],
    [
      'the text of a review comment',
      'address this\n\n**Medium Severity**\n\nYou should never return null here.\n\nAlways check the input.\n\nAdditional Locations (1)',
      'address this',
    ],
    [
      'JSON',
      'it answers\n{\n  "roles": ["never"],\n  "ok": true\n}\nuse the roles to hide the button',
      'it answers\nuse the roles to hide the button',
    ],
    [
      'HTML',
      'the page has\n<div class="a">\n  <p>Always use the form.</p>\n</div>\nmake it blue',
      'the page has\nmake it blue',
    ],
    [
      'SQL',
      'this is slow\nSELECT id\nFROM users\nORDER BY name;\nadd an index',
      'this is slow\nadd an index',
    ],
    [
      'logs of several programs',
      'look\nweb-1  | GET / 500\nNov 18 10:00:00 host sshd[1]: Failed\nwhat is it',
      'look\nwhat is it',
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
    'Do these:\n- rename the button\n* never show it to guests\n1. add a test',
    'Error: I mean the message, it should be shorter',
    'note: keep the old API',
    '10:30:00 is the format that I want',
    '[Important] please use the function that is there',
    '[P1] Fix the crash\n[P2] Add a dark theme',
    'src/a.ts:12 should return early',
    'import the csv file from the downloads folder',
    'let me know when the function is done;',
    '$ should be shown before the price',
    'Replace `const a = 1` with `let a = foo()`.',
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
    '/exit',
    '/model opus',
    '/compress',
  ])('finds no request in %s', (message) => {
    expect(askedIn(message)).toBeUndefined()
  })
})

describe('a command that asks for something', () => {
  it.each(['/review the last commit', '/fix-issue 12', '/plan add a page', '/usr/bin is full'])(
    'is a request: %s',
    (message) => expect(askedIn(message)).toBe(message),
  )
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

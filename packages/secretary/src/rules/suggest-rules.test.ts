import { describe, expect, it } from 'vitest'
import { statedRules } from './suggest-rules.ts'

const short = (markdown: string) =>
  statedRules(markdown).map(({ watch: { on, require, forbid, unless } }) =>
    [
      on,
      ...require,
      ...forbid.map((one) => `not ${one}`),
      ...(unless.asked ? ['unless asked'] : []),
    ].join(' | '),
  )

describe('rules that a file states', () => {
  it.each([
    [
      '### Before Every Commit (REQUIRED)\n\n```bash\nmise run fmt && mise run lint   # both\nmise run test:ci\n```',
      'commit | mise run fmt | mise run lint | mise run test:ci',
    ],
    ['**Always** run `npm test` before committing.', 'commit | npm test'],
    [
      'You MUST run `cargo fmt` and `cargo clippy` before pushing.',
      'push | cargo fmt | cargo clippy',
    ],
    [
      'Before you commit, make sure that these pass:\n\n- `make lint`\n- `make test`\n\nOther text with `make docs`.',
      'commit | make lint | make test',
    ],
    ['Run `pytest -q` after every change.', 'stop | pytest -q'],
    ['- Do not edit `src/gen/api.ts` by hand.', 'edit | not src/gen/api.ts'],
    ['Never modify files in `vendor/`, they are copies.', 'edit | not vendor/**'],
    [
      "Don't touch `schema.sql` unless explicitly asked.",
      'edit | not **/schema.sql | unless asked',
    ],
    ['Never run `git push --force`.', 'command | not git push --force'],
    ['Use pnpm. Do not use `npm install`.', 'command | not npm install'],
  ])('%j', (markdown, rule) => {
    expect(short(markdown)).toEqual([rule])
  })

  it.each([
    'Run `npm test` to run the tests.',
    'Commits follow Conventional Commits.',
    'Before committing, you may run `npm run format`.',
    'If you change the schema, run `npm run generate` before committing.',
    'Never use `any`; do not use `console.log`.',
    'Do not edit code without reading it first.',
    'Never commit `.env` files.',
    'Write a changelog entry before every release.',
    'Avoid long functions.',
    'Always read `docs/style.md` before committing.',
    'Do not use `foo()` in new code.',
    '```bash\n# never run this: `git push --force`\nnpm test\n```',
    '## Before You Start\n\n```bash\nnpm install\n```',
  ])('%j states none that can be watched', (markdown) => {
    expect(short(markdown)).toEqual([])
  })

  it('names the line and the sentence, each rule once', () => {
    const text =
      '# Rules\n\n- **Never** edit `dist/a.js`. Always run `npm test` before committing.\n- Never edit `dist/a.js`.\n'
    expect(statedRules(text)).toMatchObject([
      { line: 3, text: 'Never edit `dist/a.js`.' },
      { line: 3, text: 'Always run `npm test` before committing.' },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { extractDiscoveries } from './extract.ts'

const types = (...texts: string[]) => extractDiscoveries(texts).map(({ type }) => type)

describe('what is drawn from typed text', () => {
  it.each([
    ['We use zod for validation of every request.', 'pattern'],
    ['Convention: file names are kebab-case.', 'pattern'],
    ['Handlers must never touch the database directly.', 'rule'],
    ['Rule: every list has a limit.', 'rule'],
    ['in this repo we never touch the lock file by hand', 'rule'],
    ['full schema should not be updated ever, it is a point in time snapshot.', 'rule'],
    ['From now on answer in German.', 'rule'],
    ['We decided to keep sessions in Redis.', 'decision'],
    ['In the end we went with SQLite, which needs no server.', 'decision'],
    ['We switched to pnpm last week.', 'decision'],
    ['Bug: the watcher fires twice on macOS.', 'issue'],
    ['Decision: the last crate is named last, because people look for it.', 'decision'],
    ['The cause of the flaky login test was a clock in another time zone.', 'issue'],
    ['Мы решили хранить сессии в Redis.', 'decision'],
    ['Никогда не правь файл блокировки руками.', 'rule'],
    ['Правило: у каждого списка есть предел.', 'rule'],
    ['В этом проекте мы никогда не используем any.', 'rule'],
    ['Мы используем zod для проверки запросов.', 'pattern'],
    ['Баг: наблюдатель срабатывает дважды на macOS.', 'issue'],
    ['Ми вирішили зберігати сесії в Redis.', 'decision'],
    ['Ніколи не використовуй any у цьому коді.', 'rule'],
    ['Wir haben uns für SQLite entschieden.', 'decision'],
    ['In diesem Projekt verwenden wir niemals any.', 'rule'],
    ['Wir verwenden zod für die Prüfung aller Anfragen.', 'pattern'],
    ['Nous avons décidé de garder les sessions dans Redis.', 'decision'],
    ['Dans ce projet on ne modifie jamais le fichier lock à la main.', 'rule'],
    ['Decidimos guardar las sesiones en Redis.', 'decision'],
    ['A partir de ahora responde en español.', 'rule'],
    ['Decidimos guardar as sessões no Redis.', 'decision'],
    ['Neste projeto nunca usamos any no código.', 'rule'],
    ['Abbiamo deciso di tenere le sessioni in Redis.', 'decision'],
    ["D'ora in poi rispondi in italiano.", 'rule'],
    ['Zdecydowaliśmy trzymać sesje w Redis.', 'decision'],
    ['Nigdy nie zmieniaj pliku lock ręcznie.', 'rule'],
    ['我们决定把会话保存在 Redis 里。', 'decision'],
    ['这个项目不要手动修改锁文件。', 'rule'],
    ['セッションはRedisに保存することに決めました。', 'decision'],
    ['このプロジェクトでは必ずテストを書く。', 'rule'],
    ['세션은 Redis에 저장하기로 결정했습니다.', 'decision'],
    ['이 프로젝트에서는 절대 잠금 파일을 직접 수정하지 마세요.', 'rule'],
  ])('C14 %j is a %s', (text, type) => {
    expect(types(text)).toEqual([type])
  })

  it.each([
    'Should we have decided to use Redis?',
    'Hello, how are you today, all fine here.',
    '```ts\n// Rule: this is code\n```',
    '> Decision: quoted from elsewhere and not ours',
    'Rule: the key is sk-abcdefghijklmnop1234567890',
    'Bug: x',
    // What a product should do is no rule about how to work on it.
    'The hook never fires after a compaction.',
    'Titles must never be condensed in the list.',
    'at the top of the report, find a way to make the git url always visible',
    'We should not display "AGENTS.md" for GitHub Copilot instructions',
    // It means nothing without the sentence before it.
    'It should never be edited by hand.',
    'Always use this.',
    'never do that again',
    'no, we never use it',
    // It holds for a moment, or is not certain.
    "from now on don't fix anything yet",
    'We use SQLite for now.',
    'if we use a private key derived from the public one to sign, this could work',
    'I think we switched to pnpm at some point',
    'Never push in this branch.',
    'Возможно, мы решили использовать Redis.',
    'Это мы решили хранить в Redis.',
    'Почему мы всегда используем any?',
    '我们决定用这个。',
    'Keys should be unique so that components maintain their identity across updates.',
    'ok can we please make sure to memorize the setup and ensure this never repeats again.',
  ])('C14 nothing is drawn from %j', (text) => {
    expect(types(text)).toEqual([])
  })

  it('C14 issues come first, then decisions, rules and patterns, ten of a dialog at most', () => {
    expect(
      types(
        'We use vitest for tests. Rule: no skipped tests allowed. We decided to drop Jest. Bug: coverage is wrong on Windows.',
      ),
    ).toEqual(['issue', 'decision', 'rule', 'pattern'])
    const words = 'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima'.split(
      ' ',
    )
    expect(
      types(...words.map((word) => `We decided to move ${word} ${word}s next to ${word}ing.`)),
    ).toHaveLength(10)
  })

  it('C14 the module comes from the words around the match, not from the first path in the text', () => {
    const [found] = extractDiscoveries([
      'See src/billing/invoice.ts for the totals.\n\nSome other talk in between.\n\nWe decided to cache tokens in src/auth/token.ts for an hour.',
    ])
    expect(found).toMatchObject({ module: 'auth', paths: ['src/auth/token.ts'] })
    expect(extractDiscoveries(['We decided to split the payments module in two.'])[0]?.module).toBe(
      'payments',
    )
  })

  it('C14 repetitions are drawn once', () => {
    expect(
      types('We decided to keep sessions in Redis.', 'We decided to keep the sessions in Redis!'),
    ).toEqual(['decision'])
  })

  it('hostile text does not keep the rules busy', () => {
    const hostile = [
      'fixed '.repeat(20_000),
      'a/'.repeat(50_000),
      'we use '.repeat(20_000),
      'in this repo '.repeat(10_000),
      'the cause of '.repeat(10_000),
      '`'.repeat(10_000),
      'x'.repeat(200_000),
    ]
    const began = performance.now()
    expect(extractDiscoveries(hostile)).toEqual([])
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})

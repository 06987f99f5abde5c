import { describe, expect, it } from 'vitest'
import { standingNow } from './standing.ts'

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
    'Always run the linter before you commit.',
    'You must always ask before deleting files.',
    'for all future commits use the ticket as prefix',
    'Bitte immer erst die Tests laufen lassen, bevor du committest.',
    'Всегда запускай тесты перед коммитом.',
    'Ne modifie jamais le fichier package-lock à la main.',
    'Nunca hagas push sin preguntarme.',
    'これからはテストを先に書いてください。',
  ])('has %s', (sentence) => {
    expect(standingNow([`Add a page.\n${sentence}`])).toEqual([sentence])
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
    'Every time you open the page it flickers.',
    'From now on the API returns 404, update the client.',
    'from now on the build output lands in dist',
    'Add a box "remember this device" to the form.',
    'remember to push the branch',
    'Always run into this error when I start the build.',
    'Ab jetzt funktioniert der Test wieder.',
    'In Zukunft soll der Nutzer Dateien exportieren können.',
    'С этого момента тесты падают.',
    'Кнопка больше никогда не появляется.',
    'Le bouton ne s’affiche plus jamais.',
    'A partir de ahora el test falla.',
    '今後はテストが失敗します。',
    '记住密码功能坏了。',
    'it should never be condensed',
    'we might want to improve this in future',
    '```\nfrom now on everything is pasted\n```',
    'Operation stopped by hook: from now on run the linter',
    'Implement the following plan:\n\n# Plan\n\nFrom now on use tabs.',
  ])('does not have %s', (message) => {
    expect(standingNow([message])).toEqual([])
  })

  it('are replaced by a later contradiction', () => {
    const first = 'From now on use spaces, always.'
    expect(standingNow([first, 'tabs after all'])).toEqual(['tabs after all'])
    expect(standingNow([first, 'From now on use tabs.'])).toEqual(['From now on use tabs.'])
    expect(standingNow([first, 'add spaces around the operator'])).toEqual([first])
  })
})

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bridges } from '../../../../test/support/search-engine-house.ts'
import { createBridges } from './bridge.ts'
import { languagesOf } from './foreign-words.ts'
import { translate } from './translate.ts'

describe('the language of a question', () => {
  it.each([
    ['где проверяется пароль', 'ru'],
    ['як зберігається пароль', 'uk'],
    ['wo wird die Verbindung geschlossen', 'de'],
    ['le fichier est introuvable dans le dossier', 'fr'],
    ['no se puede abrir el archivo', 'es'],
    ['não foi possível abrir o arquivo', 'pt'],
    ['impossibile aprire il file di configurazione', 'it'],
    ['nie można otworzyć pliku', 'pl'],
    ['无法打开文件', 'zh'],
    ['ファイルを開けません', 'ja'],
    ['파일을 열 수 없습니다', 'ko'],
  ])('%s', (text, language) => {
    expect(languagesOf(text)).toContain(language)
  })

  it.each([
    'how does the router match a path',
    'createStore',
    'user_id is not a valid UUID',
    'where is the naïve Bayes classifier trained',
    'Failed to open de_DE locale in /usr/share/locale/de',
    'The configuration file could not be found.',
    'src/des/al.py',
    'xkcd plugh frobnitz',
    'lorem ipsum dolor sit amet',
  ])('is none where it is English or code: %s', async (text) => {
    expect(await translate(text, bridges)).toBeUndefined()
  })
})

describe('a question in English words', () => {
  it.each([
    ['файл не найден', ['file', 'found']],
    ['неверный пароль пользователя', ['password', 'user']],
    ['невірний пароль користувача', ['password', 'user']],
    ['die Verbindung zum Server wurde beendet', ['connection', 'server']],
    ['le mot de passe est incorrect', ['password']],
    ['la contraseña del usuario no es válida', ['password', 'user', 'valid']],
    ['não foi possível abrir o arquivo', ['open', 'file']],
    ['la connessione al server è stata chiusa', ['connection', 'server']],
    ['nieprawidłowe hasło użytkownika', ['password', 'user']],
    ['无法打开文件', ['open', 'file']],
    ['ファイルを開けません', ['file', 'open']],
    ['파일을 열 수 없습니다', ['file', 'open']],
  ])('%s', async (text, words) => {
    const found = await translate(text, bridges)
    const all = `${found?.text} ${found?.alternatives.join(' ')}`.toLowerCase().split(/[^a-z]+/)
    expect(all).toEqual(expect.arrayContaining(words))
  })

  it('keeps names, paths and English words as they are', async () => {
    const found = await translate(
      'где вызывается createStore из src/store.ts при первом render',
      bridges,
    )
    expect(found?.text).toContain('createStore')
    expect(found?.text).toContain('src/store.ts')
    expect(found?.text).toContain('render')
    expect(found?.text).not.toMatch(/\p{Script=Cyrillic}{2,}ается/u)
  })

  it('tells the small words from those that it does not know', async () => {
    const found = await translate('не удалось открыть файл из абырвалга', bridges)
    expect(found?.text).toContain('абырвалга')
    expect(found?.smallWords).toContain('из')
  })

  it('gives up where most words are unknown', async () => {
    expect(await translate('варкалось хливкие шорьки пырялись', bridges)).toBeUndefined()
  })
})

it('leaves a question as it is where its bridge is missing', async () => {
  const missing = createBridges('/nowhere')
  expect(await translate('где проверяется пароль', missing)).toBeUndefined()
})

describe('question words', () => {
  const bridges = createBridges(
    fileURLToPath(new URL('../../../../assets/bridges', import.meta.url)),
  )

  it.each([
    ['come si imposta la connessione', /command|occur/],
    ['як налаштувати з’єднання за замовчуванням', /^як/],
    ['wie kann man die Verbindung einrichten', /bug/],
  ])('takes nothing from how a question begins: %s', async (question, wrong) => {
    const { text } = (await translate(question, bridges)) ?? { text: '' }
    expect(text).toMatch(/connect/)
    expect(text).not.toMatch(wrong)
  })

  it.each([
    ['где проверяется пароль', true],
    ['wo wird die Verbindung geschlossen', true],
    ['kann die Datei gelöscht werden?', true],
    ['在哪里验证用户密码', true],
    ['не удалось открыть файл', false],
    ['el archivo no se puede abrir', false],
    ['ファイルを開けません', false],
  ])('tells a question from what a program says: %s', async (text, asks) => {
    expect((await translate(text, bridges))?.asks).toBe(asks)
  })
})

import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createBridges } from './bridge.ts'
import { translate } from './translate.ts'

const bridges = createBridges(fileURLToPath(new URL('../../../../assets/bridges', import.meta.url)))

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

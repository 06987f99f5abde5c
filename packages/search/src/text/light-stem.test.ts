import { describe, expect, it } from 'vitest'
import { stem } from './english.ts'
import { type Language, lightStem } from './light-stem.ts'

describe('the stem of an inflected word', () => {
  it.each<[Language, string]>([
    ['ru', 'пользователь пользователя пользователями пользователей'],
    ['ru', 'запускается запускаются запускать'],
    ['uk', 'користувач користувача користувачів користувачами'],
    ['de', 'Benutzer Benutzern Benutzers'],
    ['de', 'Größe Größen größer'],
    ['fr', 'fichier fichiers'],
    ['fr', 'créé créée créer'],
    ['es', 'contraseña contraseñas'],
    ['es', 'conectado conectar conectada'],
    ['pt', 'conexão conexões conexao'],
    ['it', 'utente utenti'],
    ['it', 'messaggio messaggi'],
    ['pl', 'hasło hasła hasłem'],
    ['ko', '사용자 사용자를 사용자가 사용자의'],
    ['ja', '検索する 検索した 検索'],
  ])('%s: %s are one', (language, forms) => {
    expect(new Set(forms.split(' ').map((form) => lightStem(form, language))).size).toBe(1)
  })

  it.each<[Language, string]>([
    ['ru', 'файл форма'],
    ['de', 'Datei Daten'],
    ['fr', 'mot mode'],
    ['ko', '파일 오류'],
  ])('%s: %s stay apart', (language, words) => {
    expect(new Set(words.split(' ').map((word) => lightStem(word, language))).size).toBe(2)
  })

  it('goes into the terms of any text where the letters tell the language', () => {
    expect(stem('пользователями')).toBe(stem('пользователь'))
    expect(stem('користувачів')).toBe(stem('користувача'))
    expect(stem('파일을')).toBe(stem('파일'))
    expect(stem('größe')).toBe('größe')
  })
})

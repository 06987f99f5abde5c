import { describe, expect, it } from 'vitest'
import { engineFor, filesFor } from '../../../../test/support/search-engine-house.ts'

describe('a question in another language', () => {
  it.each([
    'где проверяется пароль пользователя',
    'де перевіряється пароль користувача',
    'wo wird das Passwort des Benutzers geprüft',
    'où est vérifié le mot de passe de l’utilisateur',
    'dónde se verifica la contraseña del usuario',
    'onde a senha do usuário é verificada',
    'dove viene verificata la password dell’utente',
    'gdzie jest sprawdzane hasło użytkownika',
    '在哪里验证用户密码',
    'ユーザーのパスワードを検証する場所',
    '사용자 비밀번호를 확인하는 곳',
  ])('finds English code: %s', async (query) => {
    const { engine } = await engineFor()
    await engine.index()
    expect((await filesFor(engine, query))[0]).toBe('src/auth/login.ts')
  })

  it('keeps the names in it', async () => {
    const { engine } = await engineFor()
    await engine.index()
    expect((await filesFor(engine, 'что делает createStore'))[0]).toBe('src/store/create-store.ts')
  })

  it.each([
    ['Миграции запускаются при старте сервера', 'когда запускать миграцию'],
    ['Паролі користувачів зберігаються як хеші', 'пароль користувача'],
    [
      'Die Verbindungen werden nach einer Minute geschlossen',
      'wann wird die Verbindung geschlossen',
    ],
    [
      'Les fichiers temporaires sont supprimés à la fin',
      'quand le fichier temporaire est supprimé',
    ],
    ['Las contraseñas de los usuarios no se guardan', 'la contraseña del usuario'],
    ['As conexões são encerradas depois de um minuto', 'quando a conexão é encerrada'],
    ['Gli utenti non possono cancellare i messaggi', 'il messaggio dell’utente'],
    ['Hasła użytkowników są przechowywane bezpiecznie', 'hasło użytkownika'],
    ['设置保存在用户目录中', '设置保存在哪里'],
    ['検索インデックスは夜に作り直される', '検索インデックスを作り直す'],
    ['사용자가 파일을 지울 수 있습니다', '사용자의 파일'],
  ])('finds a note in its own language by inflected words: %s', async (content, query) => {
    const { engine } = await engineFor()
    const date = '2026-01-01T00:00:00.000Z'
    await engine.putNotes([
      { id: 'other', source: 'discovery', content: 'Retries stop after five attempts', date },
      { id: 'wanted', source: 'discovery', content, date },
    ])
    const { results } = await engine.search({ query, byWords: true })
    expect(results.map(({ id }) => id)).toEqual(['wanted'])
  })

  it('asks a model of many languages in the language itself', async () => {
    const asked: string[] = []
    const embed = async (texts: readonly string[]) => {
      asked.push(...texts)
      return texts.map(() => new Float32Array([1, 0]))
    }
    const { engine } = await engineFor({ embedder: { id: 'many', dimension: 2, embed } })
    await engine.index()
    await engine.search({ query: 'где проверяется пароль' })
    expect(asked).toContain('где проверяется пароль')
  })
})

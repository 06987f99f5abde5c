import { describe, expect, it } from 'vitest'
import { Uri } from '../../test/vscode-fake.ts'
import { chatPlaces } from './chat-places.ts'
import { sessionOfToken } from './session-of-token.ts'

type Folders = Parameters<typeof chatPlaces>[0]

describe('where the chats are', () => {
  it.each([
    [
      '/u/User/globalStorage/own',
      '/u/User/workspaceStorage/a1/own',
      '/u/User/workspaceStorage/a1/chatSessions',
    ],
    ['/u/User/globalStorage/own', undefined, '/u/User/globalStorage/emptyWindowChatSessions'],
    [
      '/u/User/profiles/work/globalStorage/own',
      undefined,
      '/u/User/globalStorage/emptyWindowChatSessions',
    ],
  ])('is told by %s and %s', (globalStorage, storage, window) => {
    const folders = {
      globalStorageUri: Uri.file(globalStorage),
      storageUri: storage && Uri.file(storage),
    }
    expect(chatPlaces(folders as object as Folders)).toEqual({ user: '/u/User', window })
  })
})

describe('the session of a token', () => {
  const resource = (path: string, scheme = 'vscode-chat-session') => ({
    sessionResource: { scheme, authority: 'local', path },
  })

  it.each([
    [resource(`/${Buffer.from('923181b8-1258').toString('base64')}`), '923181b8-1258'],
    [
      { sessionResource: `vscode-chat-session://local/${Buffer.from('abc').toString('base64')}` },
      'abc',
    ],
    [{ sessionId: 'plain' }, 'plain'],
    [resource('/%E0%A4%A'), undefined],
    [resource(`/${Buffer.from('../../etc/passwd').toString('base64')}`), undefined],
    [resource('/abc', 'other-agent'), undefined],
    [{}, undefined],
    [undefined, undefined],
    ['opaque', undefined],
  ])('is read from %j as %j', (token, session) => expect(sessionOfToken(token)).toBe(session))
})

import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ownFolder } from './own-files.ts'

const name = (user: string) => basename(ownFolder('/home', user))

it('is called after its user where that is safe', () => {
  expect(ownFolder('/home', 'ada')).toBe(join('/home', 'users', 'ada'))
  expect(name('ada_l-2')).toBe('ada_l-2')
})

it('is one folder below the others, whatever somebody is called', () => {
  const hostile = [
    '..',
    '.',
    '/',
    '../../etc',
    '..\\..',
    '/etc/passwd',
    'a/b',
    'C:\\x',
    '\0',
    '~',
    ' ',
  ]
  for (const user of [
    ...hostile,
    'con',
    'nul',
    'com1',
    'ada.',
    '-rf',
    'x'.repeat(200),
    '💡'.repeat(100),
  ]) {
    expect(dirname(ownFolder('/home', user)), user).toBe(join('/home', 'users'))
    expect(name(user), user).toMatch(/^[a-z0-9-]{0,40}~[0-9a-f]{32}$/)
  }
})

it('is nobody else’s, also where case or the form of a letter is not told apart', () => {
  const alike = [
    'ada',
    'Ada',
    'ADA',
    'ada ',
    'ada.',
    'a-da',
    'a.da',
    'é',
    'e\u0301',
    name('Ada'),
    'issuer|ada',
  ]
  const folded = alike.map((user) => name(user).toLowerCase().normalize('NFC'))
  expect(new Set(folded).size).toBe(alike.length)
})

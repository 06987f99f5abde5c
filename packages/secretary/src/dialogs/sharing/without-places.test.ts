import { describe, expect, it } from 'vitest'
import { withoutPlaces } from './request-sharing.ts'

const clean = (text: string, folder = '/home/ada/work/shop', home = '/home/ada') =>
  withoutPlaces(text, [folder], home)

describe('text that leaves the machine', () => {
  it('names files of the project by their path in it', () => {
    expect(clean('Fix /home/ada/work/shop/src/a.ts, please')).toBe('Fix src/a.ts, please')
    expect(clean('cd /home/ada/work/shop && npm test')).toBe('cd . && npm test')
    expect(clean('"/home/ada/work/shop/"')).toBe('"./"')
    expect(clean('file:///home/ada/work/shop/src/a.ts')).toBe('src/a.ts')
    expect(clean('open C:\\\\work\\\\shop\\\\src\\\\a.ts', 'C:\\work\\shop')).toBe(
      'open src\\\\a.ts',
    )
  })

  it('does not take another folder for the project', () => {
    expect(clean('/home/ada/work/shop-old/a.ts')).toBe('~/work/shop-old/a.ts')
    expect(clean('see /srv/home/ada/work/shopping')).not.toContain('ada')
    expect(clean('/usr/app/x and /app/y', '/app', '/nowhere')).toBe('/usr/app/x and y')
  })

  it('says nothing about whose home it was', () => {
    for (const text of [
      'cat /home/ada/.ssh/config',
      'cat /home/bob/notes.txt',
      'ls /Users/bob/Desktop',
      'type C:\\Users\\bob\\a.txt',
      'type "C:\\\\Users\\\\bob\\\\a.txt"',
      'ls /mnt/c/Users/bob',
      'ls /c/Users/bob/x',
      'cat ~/.claude/projects/-home-ada-work-shop/x.jsonl',
      'cat ~/.claude/projects/-Users-bob-shop/x.jsonl',
      'file:///home/bob/x',
    ])
      expect(clean(text), text).not.toMatch(/ada|bob/)
    expect(clean('ls /root/.cache', '/srv/shop', '/root')).toBe('ls ~/.cache')
    expect(clean('cat /home/ada/.npmrc')).toBe('cat ~/.npmrc')
  })

  it('leaves everything else as it was', () => {
    for (const text of [
      'The users/home page: /home',
      'GET /api/users/42 answers 200',
      'src/home/index.ts',
      'npm run build:home',
      'see https://example.com/a/b',
    ])
      expect(clean(text), text).toBe(text)
  })
})

import { describe, expect, it } from 'vitest'
import { pathFrom } from './deed-collector.ts'

describe('the path of a deed', () => {
  it.each([
    ['/home/ada/shop/src/a.ts', 'src/a.ts'],
    ['/home/ada/shop/src/../lib/a.ts', 'lib/a.ts'],
    ['/home/ada/shop-2/src/a.ts', '/home/ada/shop-2/src/a.ts'],
    ['/home/ada/shop\\src\\a.ts', 'src/a.ts'],
    ['/home/ada/shop/.claude/worktrees/agent-1/src/a.ts', 'src/a.ts'],
    ['/home/ada/shop/.worktrees/fix/src/a.ts', 'src/a.ts'],
    ['/home/ada/shop/worktrees/fix/a.ts', 'worktrees/fix/a.ts'],
    ['/home/ada/shop/.claude/settings.json', '.claude/settings.json'],
  ])('%s is %s in its project', (path, relative) => {
    expect(pathFrom(path, ['/home/ada/shop'])).toBe(relative)
  })

  it('has forward slashes and a small drive letter on Windows', () => {
    expect(pathFrom('D:\\shop\\src\\a.ts', ['d:/shop'])).toBe('src/a.ts')
  })
})

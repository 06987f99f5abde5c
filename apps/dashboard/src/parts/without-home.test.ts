import { expect, it } from 'vitest'
import { withoutHome } from './without-home.ts'

it('shows the home folder as ~ wherever a path begins with it', () => {
  expect(withoutHome('/home/ada/orchard', '/home/ada')).toBe('~/orchard')
  expect(withoutHome('2 from codex (/home/ada/.codex), /home/ada/.qwen', '/home/ada')).toBe(
    '2 from codex (~/.codex), ~/.qwen',
  )
  expect(withoutHome('C:\\Users\\ada\\orchard', 'C:\\Users\\ada')).toBe('~\\orchard')
})

it('leaves other folders alone, and everything where no home is known', () => {
  for (const path of ['/home/adam/orchard', '/data/home/ada/orchard'])
    expect(withoutHome(path, '/home/ada')).toBe(path)
  expect(withoutHome('/home/ada/orchard', undefined)).toBe('/home/ada/orchard')
})

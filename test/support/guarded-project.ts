import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** What nobody may get to see. */
export const SECRET = 'top-secret-value'

/** A project with files that may be read, and many ways to those that may not. */
export function guardedProject(): string {
  const folder = temporaryFolder()
  const root = join(folder, 'project')
  const write = (path: string, content: string | Uint8Array) => {
    const full = join(root, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, content)
  }
  write(
    'src/server/auth/service.ts',
    "import { sign } from './token.ts'\n\nexport const login = () => sign('x')\n",
  )
  write('src/server/auth/token.ts', 'export const sign = (payload: string) => payload\n')
  write('src/app.environment.ts', 'export const environment = 1\n')
  write('.gitignore', 'generated/\nsecret.ts\n')
  write('.github/workflows/ci.yml', 'on: push\n')
  write('.env', SECRET)
  write('.env.local', SECRET)
  write('.git/config', SECRET)
  write('node_modules/pkg/index.js', SECRET)
  write('packages/a/node_modules/pkg/index.js', SECRET)
  write('generated/code.ts', 'export const needle = 1\n')
  write('src/secret.ts', 'export const needle = 1\n')
  write('dist/out.js', 'needle')
  write('build/out.js', 'needle')
  write('.next/out.js', 'needle')
  write('.context/out.js', 'needle')
  write('app.py', 'import tool\n')
  write('tool.py', 'x = 1\n')
  write('broken.ts', 'const a = 1\nconst = 2\n')
  write('empty.txt', '')
  write('latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
  write('picture.bin', Buffer.from([0, 1, 2, 3]))
  write('big.txt', `${'x'.repeat(99)}\n`.repeat(11_000))
  write('lines.txt', Array.from({ length: 10 }, (_, n) => `line ${n + 1}`).join('\n'))
  write('unicode.ts', '// 猫🐈 é needle here\n')
  write('minified.js', `${'a'.repeat(5000)}needle${'b'.repeat(5000)}\n`)
  write('src/deep/one.ts', 'before 2\nbefore 1\nfindme\nafter 1\nfindme\nafter 2\nafter 3\n')
  writeFileSync(join(folder, 'outside.txt'), SECRET)
  symlinkSync(join(folder, 'outside.txt'), join(root, 'link-out.txt'))
  symlinkSync(folder, join(root, 'folder-out'))
  symlinkSync(join(root, '.env'), join(root, 'link-to-env'))
  symlinkSync(join(root, 'src/app.environment.ts'), join(root, 'link-in.ts'))
  symlinkSync('loop-b', join(root, 'loop-a'))
  symlinkSync('loop-a', join(root, 'loop-b'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  return root
}

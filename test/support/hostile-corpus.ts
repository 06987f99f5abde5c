import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const many = (text: string, times: number) => text.repeat(times)
const blanks = many(' ', 100_000)
const tabs = many('\t ', 50_000)
const nested = (open: string, close: string, depth: number) =>
  many(open, depth) + many(close, depth)
const nestedYaml = Array.from({ length: 2_000 }, (_, n) => `${many(' ', n % 200)}k${n}:`).join('\n')

/** Files of a project that were written to stall whoever reads them: each is small enough to be taken seriously. */
export const HOSTILE_FILES: Readonly<Record<string, string>> = {
  'blanks.md': `# Title\n${blanks}x\n`,
  'blanks-in-heading.md': `#${blanks}#\n##${tabs}##\n`,
  'list.md': `${many('- ', 40_000)}\n`,
  'quote.md': `${many('> ', 40_000)}x\n`,
  'links.md': many('[a](', 20_000),
  'images.md': many('![', 30_000),
  'emphasis.md': many('*a **b ', 15_000),
  'fences.md': many('```\n', 20_000),
  'table.md': `${many('|', 50_000)}\n${many('|-', 25_000)}\n`,
  'html.md': many('<a ', 30_000),
  'references.md': Array.from({ length: 5_000 }, (_, n) => `[r${n}]: <${many('(', 20)}`).join('\n'),
  'front-matter.md': `---\n${nestedYaml}\n---\nbody\n`,
  'front-matter-open.md': `---\n${many('a: &a [*a, *a]\n', 5_000)}`,
  'aliases.md': `---\na: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*${n ? `b${n - 1}` : 'a'}, *${n ? `b${n - 1}` : 'a'}]`).join('\n')}\n---\n`,
  'package.json': `{"name":"x","dependencies":{${blanks}}}`,
  'go.mod': `module x\nrequire (\n${blanks}\n${many('\tx ', 20_000)}\n)\n`,
  'Cargo.toml': `[package]\nname${blanks}=\n${many('[a]\n', 10_000)}`,
  'pyproject.toml': `[project]\nname = "x"\ndependencies = [${many('"a", ', 20_000)}\n${blanks}`,
  'pom.xml': `<project>${many('<parent>', 20_000)}<artifactId>x</artifactId>`,
  'requirements.txt': `${many('a', 50_000)}${blanks}==\n`,
  Gemfile: `gem${blanks}'x'\n${many("gem '", 10_000)}`,
  'composer.json': nested('{"a":', '}', 20_000),
  'deep.json': nested('[', ']', 50_000),
  'deep.yaml': Array.from({ length: 3_000 }, (_, n) => `${many(' ', n)}k:`)
    .join('\n')
    .slice(0, 900_000),
  'deep.ts': `const x = ${nested('(', ')', 30_000)}\n`,
  'braces.ts': nested('{', '}', 40_000),
  'generics.ts': `type A = ${many('B<', 20_000)}\n`,
  'template.ts': `const t = \`${many('${`', 10_000)}\n`,
  'regex.js': `const r = /${many('(a+)+', 10_000)}b/\n`,
  'comment.c': many('/* ', 50_000),
  'macro.h': Array.from({ length: 20_000 }, (_, n) => `#define A${n} A${n + 1} \\`).join('\n'),
  'names.py': `def ${many('a', 20_000)}():\n  pass\nimport ${many('a.', 20_000)}b\n`,
  'indent.py': Array.from({ length: 900 }, (_, n) => `${many(' ', n)}if x:`).join('\n'),
  'heredoc.rb': Array.from({ length: 5_000 }, (_, n) => `x = <<~E${n}`).join('\n'),
  'strings.go': `package a\nvar x = ${many('"a" + ', 20_000)}"b"\nimport (\n${many('"x" ', 20_000)}`,
  'use.rs': `use ${many('a::{', 10_000)}\n`,
  'lisp.clj': nested('(', ')', 40_000),
  'one-line.css': many('a{b:c}', 100_000),
  'unicode.txt': many('é\u200d', 100_000),
  'right-to-left.ts': `// ${many('\u202e\u2066', 20_000)}\nexport const a = 1\n`,
  'surrogates.ts': `export const a = '${many('\ud83d', 1)}${many('😀', 50_000)}'\n`,
  'nul.txt': `a${many('\0', 10_000)}b`,
  'carriage.ts': many('export const a = 1\r', 20_000),
  'aaaa.ts': `// ${many('a', 500_000)}b\n`,
  'paths.md': many('a/', 100_000),
  'decision.md': `${many('we decided to ', 20_000)}\n${many('fixed ', 20_000)}\n`,
  '.gitignore': `${many('*', 500)}a\n${many('(a+)+', 200)}\n${many('[', 1_000)}\n${many('**/', 300)}x\n`,
  '.guide/rules/regex.md': `---\ndescription: ${many('{{', 5_000)}\n---\n${many('{{#a}}', 10_000)}`,
  '.guide/rules/partials.md': many('{{> x}}', 10_000),
  '.guide/rules/long.md': `---\nrequires-${many('a', 5_000)}: true\n---\n${blanks}`,
}

const PIPES = [
  'pipe.ts',
  'src/package.json',
  'src/pipe.md',
  '.guide/rules/pipe.md',
  '.git/config',
  '.git/info/exclude',
  '.ignore',
  'src/.rgignore',
  '.mailmap',
  '.mcp.json',
  '.vscode/mcp.json',
]

/** Links and pipes in places where a file is expected. */
export function writeHostileProject(root: string): void {
  for (const [path, content] of Object.entries(HOSTILE_FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const folder of ['src', '.git/info', '.vscode'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'src/answer.ts'), 'export function lighthouse() {\n  return 42\n}\n')
  for (const path of ['src/.gitignore', 'src/zero.ts', 'tsconfig.json', '.guide/rules/zero.md'])
    symlinkSync('/dev/zero', join(root, path))
  symlinkSync('.', join(root, 'src/loop'))
  for (const path of PIPES) execFileSync('mkfifo', [join(root, path)])
  let folder = root
  for (let depth = 0; depth < 60; depth++) folder = join(folder, 'deep')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'bottom.ts'), 'export const bottom = 1\n')
}

import { silentLog } from '@secretary-mcp/core/log.ts'
import { describe, expect, it } from 'vitest'
import { createGrammars, installedGrammars } from '../syntax/grammars.ts'
import { createChunker } from './chunker.ts'

const chunker = createChunker({ grammars: installedGrammars(), log: silentLog })
const long = (indent: string) =>
  Array.from(
    { length: 30 },
    (_, i) => `${indent}let value${i} = compute(${i}, "some text to fill the line with")`,
  ).join('\n')

async function symbols(path: string, content: string): Promise<string[]> {
  return (await chunker.chunk(path, content)).flatMap((chunk) => chunk.symbols)
}

const missing = (): Promise<Uint8Array> => Promise.reject(new Error('not there'))

describe('chunks by syntax', () => {
  it.each([
    [
      'a.ts',
      'export class Store {\n  dispatch(action: Action) {}\n}\nexport const pick = () => 1\ninterface Shape {}',
      ['Store', 'Store.dispatch', 'pick', 'Shape'],
    ],
    [
      'a.js',
      'app.handle = function handle(req) {}\nexports.init = () => {}',
      ['app.handle', 'init'],
    ],
    [
      'a.py',
      '@decorated\ndef load(): pass\nclass Config(dict):\n  def get(self): pass\nLIMIT = 5',
      ['load', 'Config', 'Config.get', 'LIMIT'],
    ],
    [
      'a.go',
      'package a\nfunc (e *Engine) Run() {}\ntype Engine struct{}\nconst Max = 1',
      ['Engine.Run', 'Engine', 'Max'],
    ],
    [
      'a.rs',
      'pub struct Router;\nimpl Router { pub fn nest(&self) {} }\ntrait Handler { fn call(&self); }',
      ['Router', 'Router.nest', 'Handler', 'Handler.call'],
    ],
    [
      'A.java',
      'class Reader { int peek() { return 1; } enum Token { A } }',
      ['Reader', 'Reader.peek', 'Reader.Token'],
    ],
    [
      'a.rb',
      'module Web\n  class Base\n    def call(env); end\n    def self.get; end\n  end\nend',
      ['Web', 'Web.Base', 'Web.Base.call', 'Web.Base.get'],
    ],
    [
      'a.c',
      'static int* uv_run(uv_loop_t* loop) { return 0; }\n#define MAX 3\nstruct heap { int n; };',
      ['uv_run', 'MAX', 'heap'],
    ],
    [
      'a.cpp',
      'namespace net { class Socket { void open() {} }; }\nvoid Socket::close() {}',
      ['net.Socket', 'net.Socket.open', 'Socket.close'],
    ],
    [
      'A.cs',
      'namespace App { public class User { public void Save() {} } }',
      ['User', 'User.Save'],
    ],
    [
      'a.php',
      '<?php\nclass Mailer { public function send() {} }\nfunction boot() {}',
      ['Mailer', 'Mailer.send', 'boot'],
    ],
    ['a.sh', 'deploy() { echo; }', ['deploy']],
  ])('finds the definitions of %s', async (path, content, expected) => {
    expect(await symbols(path, content)).toEqual(expected)
  })

  it.each([
    [
      'A.kt',
      'data class User(val name: String) {\n    fun greet(): String {\n        return name\n    }\n}',
      ['User', 'User.greet'],
    ],
    [
      'A.swift',
      'public struct Queue<T> {\n    mutating func push(_ item: T) {\n    }\n}',
      ['Queue', 'Queue.push'],
    ],
    [
      'a.scala',
      'object Main {\n  def run(args: Array[String]): Unit = {\n  }\n}',
      ['Main', 'Main.run'],
    ],
    [
      'a.ex',
      'defmodule Web.Router do\n  def call(conn) do\n  end\nend',
      ['Web.Router', 'Web.Router.call'],
    ],
    ['a.lua', 'function M.setup(opts)\nend\nM.close = function()\nend', ['M.setup', 'M.close']],
    [
      'a.zig',
      'pub const Parser = struct {\n    pub fn next(self: *Parser) void {\n    }\n};',
      ['Parser', 'Parser.next'],
    ],
    ['a.hs', 'parse :: String -> Maybe Int\nparse s = Nothing', ['parse']],
  ])(
    'reads the definitions of %s off the lines, where there is no grammar',
    async (path, content, expected) => {
      expect(await symbols(path, content)).toEqual(expected)
    },
  )

  it('covers every line that says something, once and in order', async () => {
    const content = `import a\n\nclass Big:\n    """Doc."""\n    x = 1\n\n${Array.from({ length: 12 }, (_, i) => `    def m${i}(self):\n${long('        ')}`).join('\n\n')}\n`
    const chunks = await chunker.chunk('a.py', content)
    const lines = content.split('\n')
    let next = 1
    for (const chunk of chunks) {
      expect(
        lines
          .slice(next - 1, chunk.line - 1)
          .join('')
          .trim(),
      ).toBe('')
      expect(chunk.content).toBe(lines.slice(chunk.line - 1, chunk.endLine).join('\n'))
      next = chunk.endLine + 1
    }
    expect(chunks.length).toBeGreaterThan(12)
    expect(Math.max(...chunks.map((chunk) => chunk.content.length))).toBeLessThan(2000)
  })

  it('keeps a comment with what it is about, across a blank line after a block comment', async () => {
    const filler = `function before() {\n${long('  ')}\n}`
    const chunks = await chunker.chunk(
      'a.js',
      `${filler}\n\n/**\n * Renders a view.\n */\n\nfunction render() {\n${long('  ')}\n}`,
    )
    expect(chunks.find((chunk) => chunk.symbols.includes('render'))?.content).toContain(
      'Renders a view.',
    )
  })

  it('names the function on the later parts of a long one, as their scope', async () => {
    const chunks = await chunker.chunk(
      'a.ts',
      `function long() {\n${long('  ')}\n\n${long('  ')}\n}`,
    )
    expect(chunks.map(({ symbols: [first], scope }) => first ?? scope)).toEqual(
      chunks.map(() => 'long'),
    )
    expect(chunks.length).toBeGreaterThan(1)
  })

  it('still finds what follows a stretch the grammar cannot read', async () => {
    const broken =
      'int first(void) { return 1; }\n\nvoid twice(int a) {\n#if A\n  for (;a;) {\n#else\n  for (;;) {\n#endif\n    a++;\n  }\n}\n\nint last(int b) {\n  return b;\n}\n'
    expect(await symbols('a.c', broken)).toEqual(expect.arrayContaining(['first', 'twice', 'last']))
  })

  it('falls back to lines with a warning when a grammar cannot be had, and costs no other language', async () => {
    const warnings: string[] = []
    const lame = createChunker({
      grammars: createGrammars({ runtime: missing, grammar: missing }),
      log: { ...silentLog, warn: (_: unknown, text?: string) => void warnings.push(text ?? '') },
    })
    expect((await lame.chunk('a.ts', 'function kept() {}')).map((chunk) => chunk.content)).toEqual([
      'function kept() {}',
    ])
    expect(warnings).toEqual(['a grammar did not load; its files are indexed by lines'])
  })

  it('gives a chunk to each section of markdown, and none to headings inside a fence', async () => {
    const prose = 'Some words that fill the section so that it stands alone. '.repeat(12)
    const chunks = await chunker.chunk(
      'a.md',
      `# Install\n${prose}\n## Use\n${prose}\n\`\`\`sh\n# not a heading\n\`\`\`\n`,
    )
    expect(chunks.map(({ kind, symbols: names }) => [kind, names])).toEqual([
      ['section', ['Install']],
      ['section', ['Use']],
    ])
  })

  it('gives nothing for a file of blank lines', async () => {
    expect(await chunker.chunk('a.ts', '\n\n  \n')).toEqual([])
  })
})

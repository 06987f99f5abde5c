import { parse as parseToml } from '@decimalturn/toml-patch'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { recallHooks, withHook } from './agent-hooks.ts'
import { withJsonEntry, withTomlEntry } from './entry-form.ts'

const entry = { command: 'C:\\Program Files\\node', args: ['a "b" c', 'mcp'] }
const comments = (text: string) => text.match(/\/\*.*?\*\/|(#|\/\/)[^\n]*/g) ?? []

describe('an entry in TOML', () => {
  it.each([
    ['nothing', ''],
    ['no servers', '# mine\nmodel = "x"'],
    ['tables', '[mcp_servers.other] # o\ncommand = "x"\n[mcp_servers.other.env]\nA = "1"\n'],
    [
      'an inline table',
      '# c\nmcp_servers = { other = { command = "x" } } # t\n[f]\na = true # w\n',
    ],
    ['an empty inline table', 'mcp_servers = {} # none yet\n'],
    ['dotted keys', 'mcp_servers.other.command = "x" # d\n[features]\na = 1\n'],
    ['quoted names', '["mcp_servers".\'other\'] # q\ncommand = "x"\n'],
    ['inline entries', '[mcp_servers]\nother = { command = "x" } # o\n'],
    ['our name in a text', 'a = """\n[mcp_servers.secretary]\n"""\n'],
    ['our name in a comment', '# [mcp_servers.secretary]\n'],
    ['Windows lines', '# a\r\nmodel = "x"\r\n'],
    ['dates', 'd = 2024-01-01T00:00:00Z # when\n'],
  ])('is added beside %s, and everything else stays', (_what, text) => {
    const made = withTomlEntry(text, entry) ?? ''
    const before = parseToml(text)
    expect(parseToml(made)).toEqual({
      ...before,
      mcp_servers: { ...before.mcp_servers, secretary: entry },
    })
    expect(comments(made)).toEqual(comments(text))
    expect(withTomlEntry(made, entry)).toBeUndefined()
  })

  it.each([
    '[mcp_servers."secretary"]\ncommand = "x"\n',
    "[ 'mcp_servers' . secretary ]\ncommand = 'x'\n",
    'mcp_servers = { secretary = { command = "x" } }\n',
    'mcp_servers.secretary.command = "x"\n',
    '[mcp_servers]\nsecretary.command = "x"\n',
    '[mcp_servers.secretary.env]\nA = "1"\n',
  ])('is not added twice: %s', (text) => expect(withTomlEntry(text, entry)).toBeUndefined())

  it.each(['a = \n', 'a = 1\na = 2\n', '[[mcp_servers]]\nx = 1\n', 'mcp_servers = "no"\n'])(
    'is not added to what cannot take it: %s',
    (text) => expect(() => withTomlEntry(text, entry)).toThrow(SyntaxError),
  )
})

describe('an entry in JSON', () => {
  it.each([
    ['nothing', ''],
    ['an empty object', '{}'],
    [
      'comments',
      '{\n\t// mine\n\t"servers": {\n\t\t/* other */ "other": { "command": "x" }, // o\n\t},\n}\n',
    ],
    ['a comment alone', '{ // a comment\n}'],
    ['a byte order mark', '\ufeff{ "inputs": [] }\n'],
    ['Windows lines', '{\r\n    "inputs": [] // none\r\n}\r\n'],
  ])('is added beside %s, and everything else stays', (_what, text) => {
    const made = withJsonEntry(text, 'servers', entry) ?? ''
    const read = (one: string) => parse(one.replace(/^\ufeff/, '') || '{}') ?? {}
    expect(read(made)).toEqual({
      ...read(text),
      servers: { ...read(text).servers, secretary: entry },
    })
    expect(comments(made).map((one) => one.trim())).toEqual(comments(text).map((one) => one.trim()))
    expect(made.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'))
    if (text.includes('\r\n')) expect(made.replaceAll('\r\n', '')).not.toContain('\n')
    expect(withJsonEntry(made, 'servers', entry)).toBeUndefined()
  })

  it('leaves the hooks and comments that are there', () => {
    const text =
      '{\n  // mine\n  "hooks": { "SessionStart": [ { "matcher": "m" } /* one */ ] },\n}\n'
    const hook = recallHooks['claude-code']?.(['secretary'])
    if (!hook) throw new Error('Claude Code has a hook')
    const made = withHook(text, hook) ?? ''
    expect(parse(made).hooks.SessionStart).toEqual([
      { matcher: 'm' },
      ...(hook.content.hooks.SessionStart ?? []),
    ])
    expect(made).toContain('// mine')
    expect(made).toContain('/* one */')
    expect(withHook(made, hook)).toBeUndefined()
  })

  it.each(['not json', '[1]', '{"servers":[]}', '{"servers":null}', '{"a":1', '{ /* open'])(
    'is not added to what cannot take it: %s',
    (text) => expect(() => withJsonEntry(text, 'servers', entry)).toThrow(SyntaxError),
  )
})

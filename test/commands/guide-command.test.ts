import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { put } from '../support/guide-house.ts'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'

describe('secretary guide', () => {
  let env: Record<string, string>
  const docroot = (path: string) => join(env.SECRETARY_HOME ?? '', 'docroot', path)
  const run = (args: string[], extra: Record<string, string> = {}) =>
    spawnSync(process.execPath, [binary, 'guide', ...args], {
      env: { ...env, ...extra },
      encoding: 'utf8',
    })

  beforeEach(() => {
    env = isolatedEnvironment()
  })

  it('lists the documents with the layer they come from', () => {
    put(docroot('lang/go.md'), '---\ndescription: mine\n---\nx')
    const out = execFileSync(process.execPath, [binary, 'guide'], { env, encoding: 'utf8' })
    expect(out).toMatch(/lang\/python\.md +shipped +\S/)
    expect(out).toMatch(/lang\/go\.md +user +mine/)
  })

  it('new writes a rule that agents receive at once, for one project or for all', () => {
    put(join(env.SECRETARY_PROJECT ?? '', 'CLAUDE.md'), 'Use tabs.\n')
    expect(run(['rules']).stdout).toMatch(/receive no rules[\s\S]*CLAUDE\.md/)
    expect(run(['new', 'prices', '--text', 'Show prices with two decimals.'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--for project or --for all'),
    })
    const one = run(['new', 'prices', '--for', 'project', '--text', 'Show two decimals.'])
    expect(one.stdout).toMatch(/Wrote \.guide\/rules\/prices\.md\n.*receive this rule:\n.*prices/)
    const all = run(['new', 'testing/names', '--for', 'all', '--text', '# Test names'])
    expect(all.stdout).toMatch(/these 2 rules:[\s\S]*testing\/names/)
    expect(existsSync(docroot('testing/names.md'))).toBe(true)
    const recalled = spawnSync(process.execPath, [binary, 'recall'], { env, encoding: 'utf8' })
    expect(recalled.stdout).toMatch(/Rules in force[\s\S]*prices/)
    expect(recalled.stdout).not.toContain('Use tabs')
    expect(run(['new', 'prices', '--for', 'project', '--text', 'x'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('exists already'),
    })
    for (const path of ['../out', 'a/../../b', '/etc/x', '_part'])
      expect(run(['new', path, '--for', 'project', '--text', 'x']).status, path).toBe(2)
    expect(JSON.parse(run(['rules', '--json']).stdout)).toMatchObject({
      total: 2,
      files: ['CLAUDE.md'],
    })
  })

  it('use chooses starter rules, which nobody receives before', () => {
    put(join(env.SECRETARY_PROJECT ?? '', 'pyproject.toml'), '[project]\nname = "x"\n')
    const before = run(['rules']).stdout
    expect(before).toMatch(/receive no rules[\s\S]*`secretary guide use python`/)
    const chosen = run(['use', 'python']).stdout
    expect(chosen).toMatch(/receive these \d+ rules:[\s\S]*lang\/python/)
    expect(chosen).not.toContain('secretary guide use')
    expect(run(['rules']).stdout).toBe(chosen)
    expect(run(['use', 'nonsense']).status).toBe(1)
  })

  it('shows what an agent gets, and fails with one line on an unknown name', () => {
    expect(run(['show', 'lang/python', 'docs/api']).stdout).toMatch(
      /# Python[\s\S]*# API documentation/,
    )
    const failed = run(['show', 'nowhere'])
    expect(failed.status).toBe(1)
    expect(failed.stdout).toBe('')
    expect(failed.stderr).toContain('There is no collection or category "nowhere"')
  })

  it('edits a copy of a shipped document and keeps what was there when nothing was changed', () => {
    expect(run(['edit', 'lang/python'], { EDITOR: 'true' }).stderr).toContain('Nothing was changed')
    expect(existsSync(docroot('lang/python.md'))).toBe(false)
    expect(run(['edit', 'lang/python'], { EDITOR: 'sed -i s/Python/Snakes/' }).status).toBe(0)
    expect(readFileSync(docroot('lang/python.md'), 'utf8')).toContain('# Snakes')
  })

  it('keeps the text of a person whose document cannot be saved, and says where', () => {
    const failed = run(['edit', 'lang/python'], { EDITOR: 'sed -i 2s/.*/[/' })
    expect(failed.status).toBe(2)
    const kept = /kept in (\S+)/.exec(failed.stderr)?.[1] ?? ''
    expect(readFileSync(kept, 'utf8')).toContain('# Python')
    expect(existsSync(docroot('lang/python.md'))).toBe(false)
  })

  it('asks for an editor where none is set, and changes nothing when it fails', () => {
    expect(run(['edit', 'lang/python']).stderr).toContain('EDITOR')
    expect(run(['edit', 'lang/python'], { EDITOR: 'false' }).status).toBe(2)
    expect(run(['edit', 'lang/python'], { EDITOR: '/no/such/editor' }).status).toBe(2)
  })

  it('checks: no problems on a fresh machine, and exit code 1 with what is broken', () => {
    expect(run(['check'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('no problems'),
    })
    put(docroot('a/x.md'), '---\nincludes: [a/none]\nrequires-nope: true\n---\n')
    const failed = run(['check', '--json'])
    expect(failed.status).toBe(1)
    expect(JSON.parse(failed.stdout).map(({ kind }: { kind: string }) => kind)).toEqual([
      'include',
      'flag',
    ])
  })
})

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { recallPlugins } from '@secretary-mcp/secretary/cli/clients/recall-plugins.ts'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Hooks {
  event(told: { event: { type: string; properties: object } }): Promise<void>
  'experimental.chat.system.transform'(
    input: { sessionID?: string },
    output: { system: string[] },
  ): Promise<void>
}

/** The plugin as opencode loads it, started with this program in place of ours. */
async function loaded(program: string, folder = temporaryFolder()): Promise<Hooks> {
  const file = join(folder, 'plugin.mjs')
  writeFileSync(file, recallPlugins.opencode?.([program]).script ?? '')
  const { Secretary } = await import(pathToFileURL(file).href)
  const get = async ({ path: { id } }: { path: { id: string } }) => {
    if (id === 'unknown') throw new Error('no such session')
    return { data: id === 'helper' ? { parentID: 'lead' } : {} }
  }
  return Secretary({ client: { session: { get } }, directory: folder })
}

function program(folder: string, body: string): string {
  const file = join(folder, 'program')
  writeFileSync(file, `#!/bin/sh\n${body}\n`)
  chmodSync(file, 0o755)
  return file
}

async function systemOf(hooks: Hooks, sessionID?: string): Promise<string[]> {
  const system = ['its own']
  await hooks['experimental.chat.system.transform']({ sessionID }, { system })
  return system.slice(1)
}

describe('the plugin of agents without hooks', () => {
  it('tells a session once what was asked, and again after a compaction', async () => {
    const folder = temporaryFolder()
    const asked = join(folder, 'asked')
    const hooks = await loaded(
      program(
        folder,
        `cat >> ${asked}; echo >> ${asked}\n` +
          `echo '{"hookSpecificOutput":{"additionalContext":"told"}}'`,
      ),
      folder,
    )
    expect(await systemOf(hooks, 'a')).toEqual(['told'])
    expect(await systemOf(hooks, 'a')).toEqual(['told'])
    await hooks.event({ event: { type: 'session.compacted', properties: { sessionID: 'a' } } })
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'a' } } })
    expect(await systemOf(hooks, 'a')).toEqual(['told'])
    const heard = readFileSync(asked, 'utf8').trim().split('\n')
    expect(heard.map((line) => JSON.parse(line))).toEqual([
      { session_id: 'a', cwd: folder, source: 'startup' },
      { session_id: 'a', cwd: folder, source: 'compact' },
    ])
  })

  it('tells helpers nothing, nor what is asked outside a session', async () => {
    const folder = temporaryFolder()
    const hooks = await loaded(program(folder, `touch ${join(folder, 'ran')}`), folder)
    expect(await systemOf(hooks, 'helper')).toEqual([])
    expect(await systemOf(hooks)).toEqual([])
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })

  it.each([
    ['is not installed', '/no/such/program'],
    ['fails', 'exit 1'],
    ['says something else', 'echo hello'],
  ])('lets the turn go on where Secretary %s', async (_what, body) => {
    const folder = temporaryFolder()
    const hooks = await loaded(body.startsWith('/') ? body : program(folder, body), folder)
    expect(await systemOf(hooks, 'a')).toEqual([])
    expect(await systemOf(hooks, 'unknown')).toEqual([])
  })
})

describe('the plugin of Cline', () => {
  const summary = {
    role: 'user',
    content: [{ type: 'text', text: 'Context summary' }],
    metadata: { kind: 'compaction_summary', generatedAt: 1 },
  }
  const later = { role: 'user', content: [{ type: 'text', text: 'Go on' }] }
  const load = async (body: string, folder = temporaryFolder()) => {
    const file = join(folder, 'cline.mjs')
    const starts = body.startsWith('/') ? body : program(folder, body)
    writeFileSync(file, recallPlugins['cline-cli']?.([starts]).script ?? '')
    const { default: plugin } = await import(pathToFileURL(file).href)
    const rules: { content(): Promise<string> }[] = []
    plugin.setup(
      { registerRule: (rule: (typeof rules)[number]) => rules.push(rule) },
      { session: { sessionId: 'a' }, workspaceInfo: { rootPath: folder } },
    )
    return {
      atStart: () => rules[0]?.content(),
      before: (...messages: object[]) => plugin.hooks.beforeModel({ request: { messages } }),
    }
  }

  it('tells a session once what was asked, and beside every summary what was asked before it', async () => {
    const folder = temporaryFolder()
    const asked = join(folder, 'asked')
    const answer = `echo '{"hookSpecificOutput":{"additionalContext":"told"}}'`
    const plugin = await load(`cat >> ${asked}; echo >> ${asked}\n${answer}`, folder)
    expect([await plugin.atStart(), await plugin.atStart()]).toEqual(['told', 'told'])
    expect(await plugin.before(later)).toEqual({ messages: [later] })
    const told = { ...summary, content: [...summary.content, { type: 'text', text: 'told' }] }
    expect(await plugin.before(summary, later)).toEqual({ messages: [told, later] })
    expect(await plugin.before(summary, later)).toEqual({ messages: [told, later] })
    const heard = readFileSync(asked, 'utf8').trim().split('\n')
    expect(heard.map((line) => JSON.parse(line).source)).toEqual(['startup', 'compact'])
  })

  it.each(['/no/such/program', 'exit 1', 'echo hello'])('lets the turn go on: %s', async (body) => {
    const plugin = await load(body)
    expect(await plugin.atStart()).toBe('')
    expect(await plugin.before(summary, later)).toEqual({ messages: [summary, later] })
  })
})

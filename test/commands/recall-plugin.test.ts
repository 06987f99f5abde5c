import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { recallPlugins } from '../../src/cli/clients/recall-plugins.ts'
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

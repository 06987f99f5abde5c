import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { binary, isolatedEnvironment, startHttpServer, transports } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CONTEXT_TOOLS = ['context_search', 'read_file', 'grep_codebase', 'record_discovery']

/** A home with a key in it, and the ways to name it as the project. */
function homes() {
  const home = join(temporaryFolder(), 'people', 'ada')
  mkdirSync(join(home, '.secretary'), { recursive: true })
  mkdirSync(join(home, 'work'))
  writeFileSync(join(home, 'diary.txt'), 'the diary of ada')
  symlinkSync(home, join(home, 'work', 'link'))
  const env = { HOME: home, SECRETARY_HOME: join(home, '.secretary'), SECRETARY_PROJECT: undefined }
  const project = (folder: string) => ({ ...env, SECRETARY_PROJECT: folder })
  return {
    home,
    env,
    cases: {
      'the home folder': project(home),
      'the home folder by a longer name': project(`${home}/work/..`),
      'a link to the home folder': project(join(home, 'work', 'link')),
      'the folder of all homes': project(dirname(home)),
      'the root of the file system': project('/'),
      SECRETARY_HOME: project(join(home, '.secretary')),
      'the home of another user': project('/root'),
      'a folder that looks like the home of another user': project('/home/grace'),
    },
  }
}

/** What counts as no project is decided before a transport begins, so the second one tries a few. */
const CASES = Object.keys(homes().cases)
const casesOf = (transport: string) => (transport === 'stdio' ? CASES : CASES.slice(0, 2))

describe.each(transports)('without a project, over $name', ({ name: transport, connect }) => {
  it.each(casesOf(transport))('%s is no project', async (name) => {
    const env = homes().cases[name as keyof ReturnType<typeof homes>['cases']]
    const connection = await connect({ env })
    const { tools } = await connection.client.listTools()
    expect(tools.map((tool) => tool.name).filter((tool) => CONTEXT_TOOLS.includes(tool))).toEqual(
      [],
    )
    expect(connection.client.getInstructions()).not.toContain('context_search')
    const { resources } = await connection.client.listResources()
    expect(resources.filter(({ uri }) => uri.startsWith('context:'))).toEqual([])
    const { resourceTemplates } = await connection.client.listResourceTemplates()
    expect(
      resourceTemplates.filter(({ uriTemplate }) => uriTemplate.startsWith('context:')),
    ).toEqual([])
    const { body, result } = await connection.attempt('read_file', { path: 'diary.txt' })
    expect(result.isError).toBe(true)
    expect(body.error).toMatch(/^No project is open: .+--allow-any-project\.$/)
    const found = await connection.attempt('grep_codebase', { pattern: 'diary' })
    expect(found.body.error).toMatch(/^No project is open/)
    await expect(
      connection.client.readResource({ uri: 'context://project/overview' }),
    ).rejects.toThrow(/No project is open/)
    const task = await connection.call('add_task', { title: 'the other families work' })
    expect(task.body.success).toBe(true)
    await connection.close()
  })

  it('the flag made for it allows one', async () => {
    const { env, home } = homes()
    const connection = await connect({
      env: { ...env, SECRETARY_PROJECT: home, SECRETARY_BACKGROUND_INDEX: 'off' },
      args: ['--allow-any-project'],
    })
    const { body } = await connection.call('read_file', { path: 'diary.txt' })
    expect(body).toMatchObject({ file: { content: 'the diary of ada' } })
    await connection.close()
  })

  it('a folder of the home is a project', async () => {
    const { env, home } = homes()
    writeFileSync(join(home, 'work', 'plan.txt'), 'a plan')
    const connection = await connect({ env: { ...env, SECRETARY_PROJECT: join(home, 'work') } })
    const { body } = await connection.call('read_file', { path: 'plan.txt' })
    expect(body).toMatchObject({ file: { content: 'a plan' } })
    await connection.close()
  })
})

describe('without a project', () => {
  it.each([
    ['call', 'read_file', '{"path":"diary.txt"}'],
    ['read', 'diary.txt'],
    ['grep', 'diary'],
    ['search', 'what is in the diary'],
    ['index'],
  ])('secretary %s says so', (...args) => {
    const { env, home } = homes()
    const run = spawnSync(process.execPath, [binary, ...args], {
      env: isolatedEnvironment({ ...env, SECRETARY_PROJECT: home }),
      encoding: 'utf8',
    })
    expect(run.status).toBe(1)
    expect(run.stdout + run.stderr).toContain('No project is open')
    expect(run.stdout + run.stderr).not.toContain('the diary of ada')
  })

  it('secretary tools lists the other families', () => {
    const { env, home } = homes()
    const run = spawnSync(process.execPath, [binary, 'tools'], {
      env: isolatedEnvironment({ ...env, SECRETARY_PROJECT: home }),
      encoding: 'utf8',
    })
    expect(run.stdout).toContain('add_task')
    expect(run.stdout).not.toContain('read_file')
  })

  it('the page and the API offer the other families', async () => {
    const { env, home } = homes()
    const server = await startHttpServer({ env: { ...env, SECRETARY_PROJECT: home } })
    const get = async (path: string) =>
      (await fetch(`${server.url}${path}`, { headers: server.headers })).text()
    expect(await get('/api/v1/session')).not.toContain('"family":"context"')
    expect(await get('/api/v1/tools')).not.toContain('read_file')
    await server.stop()
  })
})

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { binary } from '../support/mcp-client.ts'
import { openHouse, type PageHouse } from '../support/page-house.ts'

const built = new URL('../../dist/page', import.meta.url).pathname
const MAX_BYTES = 150 * 1024

describe('the page’s files', () => {
  let house: PageHouse
  let browser: Browser
  beforeAll(async () => {
    ;[house, browser] = await Promise.all([
      openHouse(() => {}, { args: ['--auth', 'on'] }),
      launchBrowser(),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await house?.stop()
  })

  it('are served to anybody, with a policy that allows no inline script; the data is not', async () => {
    const page = await fetch(`${house.url}/tasks`)
    expect(page.status).toBe(200)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
    expect(await page.text()).not.toMatch(/<script>|<style>|\son\w+=/)
    expect((await fetch(`${house.url}/api/v1/tasks`)).status).toBe(401)
    expect((await fetch(`${house.url}/api/v1/events`)).status).toBe(401)
  })

  it('are kept by the browser for as long as their names hold, and the document is asked for again', async () => {
    const [name] = readdirSync(join(built, 'assets')).filter((file) => file.endsWith('.js'))
    const asset = await fetch(`${house.url}/assets/${name}`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect(asset.headers.get('content-encoding')).toBe('gzip')
    expect(asset.headers.get('content-type')).toContain('text/javascript')
    expect(await asset.text()).toBe(readFileSync(join(built, 'assets', name ?? ''), 'utf8'))
    const page = await fetch(`${house.url}/`)
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const again = await fetch(`${house.url}/`, {
      headers: { 'if-none-match': page.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('open for whoever has the printed address, which leaves the token nowhere to be seen', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const token = house.server.headers.authorization?.replace('Bearer ', '') ?? ''
    await page.goto(`${house.url}/tasks?token=${token}`)
    await page.getByRole('heading', { name: /^Sign in as / }).waitFor()
    expect(page.url()).not.toContain(token)
    await page.getByRole('button', { name: /^Sign in as / }).click()
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    expect(page.url()).toBe(`${house.url}/tasks`)
    expect(await page.evaluate('document.cookie + JSON.stringify(history.state)')).not.toContain(
      token,
    )
    await page.reload()
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    await page.reload()
    await page.getByLabel('Token').waitFor()
    const stranger = await browser.newContext()
    const other = await stranger.newPage()
    await other.goto(`${house.url}/tasks`)
    await other.getByLabel(/token/i).waitFor()
    expect(await other.getByRole('heading', { name: 'Tasks' }).count()).toBe(0)
    await Promise.all([context.close(), stranger.close()])
  })

  it('lead nowhere else', async () => {
    for (const path of [
      '/assets/../index.html',
      '/assets/..%2f..%2fsecretary.js',
      '/assets/nothing.js',
      '/nowhere',
    ])
      expect((await fetch(`${house.url}${path}`)).status, path).not.toBe(200)
  })

  it('ask for a token, refuse a wrong one, take a right one and forget it on request', async () => {
    const made = execFileSync(process.execPath, [binary, 'token', 'create', '--user', 'grace'], {
      env: { PATH: process.env.PATH, ...house.home.env },
      encoding: 'utf8',
    })
    const token = /sec_\S+|[\w-]{30,}/.exec(made)?.[0] ?? ''
    const page = await browser.newPage()
    await page.goto(`${house.url}/tasks`)
    await page.getByLabel('Token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('unknown, expired or revoked').waitFor()
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('grace').waitFor()
    await page.getByLabel('New task').fill('Grace’s own')
    await page.keyboard.press('Enter')
    await page.getByText('Grace’s own').first().waitFor()
    await page.reload()
    await page.getByText('Grace’s own').first().waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0)
  })

  it('are opened by a command that finds the server, and says where it is', () => {
    const { port } = new URL(house.url)
    const said = execFileSync(process.execPath, [binary, 'open', '--print', '--port', port], {
      env: { PATH: process.env.PATH, ...house.home.env },
      encoding: 'utf8',
    })
    expect(said.trim()).toMatch(new RegExp(`^${house.url}/\\?code=[\\w-]{43}$`))
  })

  it('are at most 130 KB of compressed JavaScript, all views together', () => {
    const folder = new URL('../../dist/page/assets/', import.meta.url)
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const sizes = scripts.map((name) => gzipSync(readFileSync(new URL(name, folder))).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(130 * 1024)
  })

  it('need at most 150 KB of compressed JavaScript before the first page stands', async () => {
    const page = await browser.newPage()
    const loaded: string[] = []
    page.on(
      'response',
      (response) => response.url().endsWith('.js') && loaded.push(new URL(response.url()).pathname),
    )
    await page.goto(`${house.url}/`)
    await page.getByLabel('Token').waitFor()
    const size = loaded.reduce(
      (sum, path) => sum + gzipSync(readFileSync(join(built, path))).length,
      0,
    )
    expect(loaded.length).toBeGreaterThan(0)
    expect(size).toBeLessThan(MAX_BYTES)
    const everything = readdirSync(join(built, 'assets'))
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(built, 'assets', file))).length, 0)
    expect(everything).toBeLessThan(MAX_BYTES)
  })
})

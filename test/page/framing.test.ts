import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { keepDialog, openHouse, type PageHouse } from '../support/page-house.ts'

const ASKED = 'Show the page beside the code'

describe.each([
  ['the server of an editor', 'on'],
  ['any other server', 'off'],
])('the page in a frame, of %s', (_whose, pageInEditor) => {
  let house: PageHouse
  let browser: Browser
  let stranger: Server
  beforeAll(async () => {
    ;[house, browser] = await Promise.all([
      openHouse((home) => keepDialog(home, 'one', [ASKED], Date.now() - 60_000), {
        args: ['--auth', 'on'],
        env: { SECRETARY_PAGE_IN_EDITOR: pageInEditor },
      }),
      launchBrowser(),
    ])
    stranger = createServer((_, answer) =>
      answer.setHeader('content-type', 'text/html').end(around()),
    )
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser?.close()
    stranger?.close()
    await house?.stop()
  })

  const token = () => house.server.headers.authorization?.replace('Bearer ', '') ?? ''
  /** A document that frames the page, and hands it the token as an editor does. */
  const around = () => `<iframe src="${house.url}/#token=${token()}" width="900" height="600">`
  const open = async (address: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
    await page.route('**/around.html', (route) =>
      route.fulfill({ contentType: 'text/html', body: around() }),
    )
    await page.goto(address)
    return page
  }
  const inside = (page: Page) => page.frames().find((frame) => frame !== page.mainFrame())

  it.each(['127.0.0.1', 'localhost'])('is refused to a web page of %s', async (name) => {
    const page = await open(`http://${name}:${(stranger.address() as AddressInfo).port}/`)
    await expect.poll(() => inside(page)?.url()).toMatch(/^chrome-error:/)
    await page.context().close()
  })

  if (pageInEditor === 'off')
    it('is refused to its own origin too', async () => {
      const page = await open(`${house.url}/around.html`)
      await expect.poll(() => inside(page)?.url()).toMatch(/^chrome-error:/)
      await page.context().close()
    })
  else
    it('is there for the editor’s own origin, signed in by what the editor hands it, and keeps that nowhere', async () => {
      const page = await open(`${house.url}/around.html`)
      await page.frameLocator('iframe').getByText(ASKED).first().waitFor()
      expect(inside(page)?.url()).toBe(`${house.url}/`)
      const kept = await page.evaluate(
        'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])',
      )
      expect(kept).not.toContain(token())
      await page.context().close()
    })

  it('takes no token from a link', async () => {
    const page = await open(`${house.url}/#token=${token()}`)
    await page.getByLabel(/token/i).waitFor()
    await page.context().close()
  })
})

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import places from './browser-places.json' with { type: 'json' }

/** Only for what hangs: on a busy machine a page takes longer than Playwright's half a minute. */
const PATIENCE_MS = 150_000

/** A real Chromium. The page is not proven without one, so a machine that has none fails and is told what to do. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM_PATH, ...places].find(
    (path) => path !== undefined && existsSync(path),
  )
  if (!executablePath) {
    throw new Error(
      'The tests of the page need Chromium: install it (`apt-get install chromium`), or say where it is with CHROMIUM_PATH',
    )
  }
  const args = ['--no-sandbox', '--disable-dev-shm-usage']
  const browser = await chromium.launch({ executablePath, args, timeout: PATIENCE_MS })
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS))
  return browser
}

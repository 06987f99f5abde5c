import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { seriousFindings } from './axe.ts'
import { overhangs } from './overhang.ts'

const WIDTHS = [1280, 700, 390]
/** What a theme and a width can change. */
const LOOKS = {
  runOnly: ['color-contrast', 'scrollable-region-focusable', 'target-size', 'link-in-text-block'],
}

/** What is on screen, at three widths and in both themes: nothing that axe calls serious, nothing that hangs over. */
export async function expectGoodViews(page: Page, name: string): Promise<void> {
  const folder = process.env.SECRETARY_VIEWS
  const notices = page.locator('.toasts')
  expect(await seriousFindings(page, {}, '.toasts'), `${name}, notices`).toEqual([])
  // They lie over the page for some seconds, so what they cover would depend on the machine's speed.
  await notices.evaluate((element) => element.style.setProperty('visibility', 'hidden'))
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 860 })
    // The header covers what is scrolled below it, and how far that is depends on what came late.
    await page.evaluate('scrollTo(0, 0)')
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      if (folder)
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
      expect(await seriousFindings(page, LOOKS), `${name} ${width} ${colorScheme}`).toEqual([])
    }
    expect(await overhangs(page), `${name} ${width}`).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 860 })
  expect(await seriousFindings(page), name).toEqual([])
  await notices.evaluate((element) => element.style.removeProperty('visibility'))
}

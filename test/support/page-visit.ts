import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { launchBrowser } from './browser.ts'
import { watchAnswers } from './declared-answers.ts'
import type { PageHouse } from './page-house.ts'

export interface Visit {
  readonly house: PageHouse
  readonly browser: Browser
  readonly page: Page
  /** Waits until the page shows these words. */
  say(words: string | RegExp): Promise<void>
  /** Fails where the page threw anything, or got an answer that its route does not declare. */
  leave(): Promise<void>
}

/** A tab in a house of its own, for all tests of a suite. */
export async function visit(opening: Promise<PageHouse>): Promise<Visit> {
  const [house, browser] = await Promise.all([opening, launchBrowser()])
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  watchAnswers(page, problems)
  return {
    house,
    browser,
    page,
    say: (words) => page.getByText(words).filter({ visible: true }).first().waitFor(),
    async leave() {
      await browser.close()
      await house.stop()
      expect(problems).toEqual([])
    },
  }
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe calls serious or critical on a page, or on the part that a selector names, as it stands. */
export async function seriousFindings(
  page: Page,
  options: object = {},
  part = 'html',
): Promise<string[]> {
  // Evaluated by the debugger, so the page's own policy stays as it is.
  await page.evaluate(axe)
  const violations = await page.evaluate<
    { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  >(
    `axe.run(${JSON.stringify(part)}, ${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id} ${html} ${failureSummary}`),
    )
}

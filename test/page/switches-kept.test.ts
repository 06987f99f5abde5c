import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type PageHouse, writeProjectFile } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

describe('switches of the guide that two turn at once', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const setByAgent = (name: string, value: unknown) =>
    house.tool('guide_set_project_flag', { name, value })
  const flag = async (name: string) =>
    ((await house.tool('guide_get_project_flag', { name })).value as { value: unknown }).value
  const open = async (shown: string) => {
    await page.goto(`${house.url}/guide`)
    await page.getByText(shown).first().waitFor()
  }

  beforeAll(async () => {
    const rule = '# Ponds\n\nKeep them clean.\n'
    here = await visit(openHouse((home) => writeProjectFile(home, '.guide/ponds.md', rule)))
    ;({ house, page } = here)
    // The page does not hear in time what others do.
    await page.route('**/api/v1/events', () => {})
  })
  afterAll(() => here?.leave())

  it('keep what an agent has set a flag to, and say what that is', async () => {
    await setByAgent('strict', false)
    await open('strict')
    await setByAgent('strict', 'in src only')
    const strict = page.getByRole('switch', { name: 'Flag strict' })
    await strict.click()
    await page.getByText('Flag strict was changed meanwhile: it is now "in src only"').waitFor()
    expect(await flag('strict')).toBe('in src only')
    await page.getByRole('cell', { name: '"in src only"' }).waitFor()
  })

  it('keep a flag that is another one than the person wanted to remove', async () => {
    await setByAgent('season', 'spring')
    await open('"spring"')
    await setByAgent('season', ['summer', 'autumn'])
    await button('Remove flag season').click()
    await page.getByText('Flag season was changed meanwhile').waitFor()
    expect(await flag('season')).toEqual(['summer', 'autumn'])
    // Only what is seen can be removed.
    await page.getByRole('cell', { name: '["summer","autumn"]' }).waitFor()
    await button('Remove flag season').click()
    await expect.poll(() => flag('season')).toBe(null)
  })

  it('show both values where an agent has set the flag that the person is typing', async () => {
    await open('strict')
    await setByAgent('colour', 'green')
    await page.getByLabel('Flag name').fill('colour')
    await page.getByLabel('Flag value').fill('red')
    await button('Set flag').click()
    await page.getByRole('alert').getByText('"green"').waitFor()
    expect(await flag('colour')).toBe('green')
    await expectGoodViews(page, 'flag-changed')
    await button('Save mine').click()
    await expect.poll(() => flag('colour')).toBe('red')
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Flag name').inputValue()).toBe('')
  })

  it('replace a flag that the person sees, and go back to the one of all projects', async () => {
    await house.tool('guide_set_feature_flag', { name: 'shared', value: true })
    await open('shared')
    await page.getByRole('switch', { name: 'Flag shared' }).click()
    await page.getByText('this project, overriding all projects').waitFor()
    expect(await flag('shared')).toBe(false)
    await button('Remove flag shared').click()
    await page.getByText('all projects', { exact: true }).waitFor()
    expect(await flag('shared')).toBe(true)
  })

  it('agree where two turn the same profile on', async () => {
    await open('rust')
    await house.api('PUT', '/api/v1/guide/profiles/rust', { used: true })
    await page.getByRole('switch', { name: /^rust/ }).click()
    await page.getByText('Profile rust is in use').waitFor()
    await expect.poll(() => page.getByRole('switch', { name: /^rust/ }).isChecked()).toBe(true)
  })

  it('trust the rules that the person saw, and no others', async () => {
    const trusted = async () =>
      (await house.api<{ trusted: boolean }>('GET', '/api/v1/guide/trust')).trusted
    await open('.guide/ponds.md')
    writeProjectFile(house.home, '.guide/ponds.md', '# Ponds\n\nDrain them.\n')
    await button('Trust these rules').click()
    await page.getByText('read them again before you trust them').waitFor()
    expect(await trusted()).toBe(false)
    await page.goto(`${house.url}/guide`)
    await button('Trust these rules').waitFor()
    writeProjectFile(house.home, '.guide/deploy.md', '# Deploy\n\nOn Fridays.\n')
    await button('Trust these rules').click()
    await page.getByText('read them again before you trust them').waitFor()
    expect(await trusted()).toBe(false)
    // Where it was refused, the page shows what there is now.
    await page.getByText('.guide/deploy.md').waitFor()
    await button('Trust these rules').click()
    await page.getByText('You trust the rules in this project').waitFor()
    expect(await trusted()).toBe(true)
  })
})

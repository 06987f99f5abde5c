import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type PageHouse } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

describe('the team, on the page', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  const open = (path: string) => page.goto(`${house.url}${path}`)
  const person = (name: string) => page.getByRole('row').filter({ hasText: name })
  const openWeb = async () => {
    await open('/team')
    await page.getByRole('link', { name: 'web', exact: true }).click()
    await page.getByRole('heading', { name: 'web', exact: true }).waitFor()
  }

  beforeAll(async () => {
    here = await visit(openHouse(() => {}))
    ;({ house, page } = here)
    page.on('dialog', (dialog) => void dialog.accept())
  })
  afterAll(() => here?.leave())

  it('lists the space of everybody, which nobody can leave', async () => {
    await open('/team')
    await page.getByRole('link', { name: 'everybody' }).click()
    await page.getByText('Everyone on this server belongs to this space').waitFor()
    expect(await page.getByRole('button', { name: 'Leave' }).count()).toBe(0)
  })

  it('creates a space, whose operator one is', async () => {
    await open('/team')
    await expectGoodViews(page, 'spaces')
    await page.getByLabel('Name').fill('web')
    await page.getByLabel('For the team of this project').check()
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('heading', { name: 'web', exact: true }).waitFor()
    await person('(you)').getByRole('combobox').waitFor()
    expect(await person('(you)').getByRole('combobox').inputValue()).toBe('operator')
  })

  it('invites people, changes their roles and removes them, and the log says so', async () => {
    await openWeb()
    await page.getByLabel('Invite a person').fill('bob')
    await page.getByLabel('As').selectOption('reader')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByLabel('Role of bob').selectOption('member')
    await page.getByText('bob is invited as member').waitFor()
    await page.locator('.space-log li', { hasText: 'invited bob as reader → member' }).waitFor()
    await expectGoodViews(page, 'space')
    await page.getByRole('button', { name: 'Remove bob' }).click()
    await expect.poll(() => person('bob').count()).toBe(0)
    await page.locator('.space-log li', { hasText: 'took back the invitation of bob' }).waitFor()
  })

  it('shares a document with the space, which then stands in the guide', async () => {
    await openWeb()
    await page.getByLabel('Share a document of yours').fill('no-such.md')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByText('There is no document no-such.md').waitFor()
    await page.getByLabel('Share a document of yours').fill('guidelines/errors.md')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('link', { name: 'guidelines/errors.md' }).click()
    await page.getByRole('heading', { name: /errors\.md/ }).waitFor()
    await openWeb()
    await page.getByRole('button', { name: 'Stop sharing guidelines/errors.md' }).click()
    await page.getByText('No documents are shared here').waitFor()
  })

  it('says why the last operator cannot leave', async () => {
    await openWeb()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByText('The last operator of a space cannot leave it').waitFor()
    const own = person('(you)').getByRole('combobox')
    await own.selectOption('reader')
    await expect.poll(() => own.inputValue()).toBe('operator')
    await page.getByRole('heading', { name: 'web', exact: true }).waitFor()
  })

  it('refuses a name that is taken, and keeps what was typed', async () => {
    await openWeb()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('everybody')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByText('The name everybody is taken').waitFor()
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('everybody')
    await page.getByRole('dialog').getByLabel('Name').fill('shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'shop', exact: true }).waitFor()
  })

  it('deletes a space, and leads back to those that are left', async () => {
    await open('/team')
    await page.getByRole('link', { name: 'shop' }).click()
    const address = new URL(page.url())
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Team' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'shop' }).count()).toBe(0)
    await page.goto(address.href)
    await page.getByText('You do not belong to this space').waitFor()
  })
})

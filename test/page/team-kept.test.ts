import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type PageHouse } from '../support/page-house.ts'
import { type Visit, visit } from '../support/page-visit.ts'
import { expectGoodViews } from '../support/views.ts'

interface Member {
  readonly user: string
  readonly role: string
}

describe('a space that two change at once', () => {
  let house: PageHouse
  let here: Visit
  let page: Page
  let space: string
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const give = (user: string, role: string) =>
    house.api('PUT', `/api/v1/spaces/${space}/members/${user}`, { role })
  const roleOf = async (user: string) =>
    (await house.api<{ members: Member[] }>('GET', `/api/v1/spaces/${space}/members`)).members.find(
      (one) => one.user === user,
    )?.role
  const open = async () => {
    await page.goto(`${house.url}/team?space=${space}`)
    await page.getByLabel('Role of').first().waitFor()
    await page.getByLabel('Share a document of yours').waitFor()
  }

  beforeAll(async () => {
    here = await visit(openHouse(() => {}))
    ;({ house, page } = here)
    const made = await house.api<{ space: { id: string } }>('POST', '/api/v1/spaces', {
      name: 'garden',
    })
    space = made.space.id
    // The page does not hear in time what others do.
    await page.route('**/api/v1/events', () => {})
  })
  afterAll(() => here?.leave())

  it('keeps a role that somebody else gave meanwhile', async () => {
    await give('bob', 'reader')
    await open()
    await give('bob', 'operator')
    await page.getByLabel('Role of bob').selectOption('member')
    await page.getByText('Not changed: bob is an operator of it by now').waitFor()
    expect(await roleOf('bob')).toBe('operator')
    await expect.poll(() => page.getByLabel('Role of bob').inputValue()).toBe('operator')
  })

  it('keeps a person in it whose role has changed since', async () => {
    await give('bob', 'member')
    await open()
    await give('bob', 'operator')
    await button('Remove bob').click()
    await page.getByText('Not changed: bob is an operator of it by now').waitFor()
    expect(await roleOf('bob')).toBe('operator')
  })

  it('does not take a role from somebody who is added a second time', async () => {
    await open()
    await give('carol', 'operator')
    await page.getByLabel('Invite a person').fill('carol')
    await page.getByLabel('As').selectOption('reader')
    await button('Invite').click()
    await page.getByText('Not changed: carol is an operator of it by now').waitFor()
    expect(await roleOf('carol')).toBe('operator')
    expect(await page.getByLabel('Invite a person').inputValue()).toBe('carol')
  })

  it('shows the name that it was given meanwhile', async () => {
    await open()
    await button('Rename').click()
    await house.api('PATCH', `/api/v1/spaces/${space}`, { name: 'orchard' })
    await page.getByRole('dialog').getByLabel('Name').fill('meadow')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('alert').getByText('orchard').waitFor()
    await expectGoodViews(page, 'space-renamed')
    await button('Save mine').click()
    await page.getByRole('heading', { name: 'meadow', exact: true }).waitFor()
  })

  it('asks before a copy is replaced that came meanwhile, and removes none that is newer', async () => {
    const path = 'guidelines/errors.md'
    const share = () => house.api('PUT', `/api/v1/spaces/${space}/documents`, { path })
    const copies = async () =>
      (
        await house.api<{ documents: { updatedAt: string }[] }>(
          'GET',
          `/api/v1/spaces/${space}/documents`,
        )
      ).documents.map(({ updatedAt }) => updatedAt)
    await open()
    await share()
    const [first] = await copies()
    await page.getByLabel('Share a document of yours').fill(path)
    await button('Share').click()
    await page.getByRole('alert').getByText('has a copy of it from').waitFor()
    expect(await copies()).toEqual([first])
    await button('Share mine').click()
    await page.getByText(`has a copy of ${path}`).waitFor()
    expect(await copies()).not.toEqual([first])
    await open()
    await share()
    const [newer] = await copies()
    await button(`Stop sharing ${path}`).click()
    await page.getByText('has shared another copy').waitFor()
    expect(await copies()).toEqual([newer])
  })
})

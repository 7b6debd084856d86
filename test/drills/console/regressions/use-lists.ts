import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { SAMPLES } from '../rig/create-samples.ts'

const LONG_NAME = 'payments-production-us-east-1-with-a-long-name-0001'
/** The offset of the grid and its first visible row. */
const PLACE = `(() => {
  const grid = document.querySelector('[role=grid]')
  const top = grid.getBoundingClientRect().top + 40
  const row = document.elementFromPoint(400, top).closest('[role=row]')
  return [grid.scrollTop, row?.getAttribute('aria-rowindex')]
})()`
const FOCUSED = `document.activeElement.getAttribute('role')`

/** A list reached by a link: its search, its names, its place after Back, and its keys. */
export async function useLists({ browser, server }: ConsoleRig): Promise<void> {
  await server.client.clusters.create({ name: LONG_NAME, labels: { tier: 'gold' } })
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open('/settings')
  await page.getByRole('link', { name: 'Clusters', exact: true }).first().click()
  const grid = page.getByRole('grid', { name: 'Clusters' })
  const name = grid.getByRole('link', { name: LONG_NAME })
  await name.waitFor()
  const isCut = await name.evaluate((link) => link.scrollWidth > link.clientWidth)
  assert.equal(isCut, false, 'a name is cut')

  await page.keyboard.press('/')
  assert.equal(await page.evaluate(FOCUSED), 'combobox')
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.keyboard.type(SAMPLES.cluster)
  await page.keyboard.press('Enter')
  await page.getByText('1 result', { exact: true }).waitFor()
  await grid.getByRole('link', { name: SAMPLES.cluster }).waitFor()
  await page.getByRole('button', { name: 'Clear the search' }).click()

  await sortWithKeys(page)
  await returnToPlace(page)
  await tab.assertClean()
}

/** The grid is one stop of Tab. The arrow keys reach the columns, and sorting keeps the focus. */
async function sortWithKeys(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Clusters' })
  await grid.focus()
  await page.keyboard.press('Tab')
  assert.equal(await grid.evaluate((element) => element.matches(':focus-within')), false)
  await grid.focus()
  await page.keyboard.press('ArrowUp')
  for (const order of ['ascending', 'descending']) {
    await page.keyboard.press('Enter')
    await grid.locator(`[role=columnheader][aria-sort=${order}]`).waitFor()
  }
  assert.equal(await grid.evaluate((element) => element.matches(':focus')), true)
}

async function returnToPlace(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Clusters' })
  const link = grid.getByRole('link', { name: /-0\d{5}$/ }).first()
  await link.waitFor()
  await grid.evaluate((element) => element.scrollTo(0, 20_000))
  await grid.locator('[aria-rowindex="562"]').getByRole('link').waitFor()
  const before = await page.evaluate(PLACE)
  await grid.locator('[aria-rowindex="562"]').getByRole('link').click()
  await page.getByRole('heading', { name: 'Conditions' }).waitFor()
  await page.goBack()
  await grid.locator('[aria-rowindex="562"]').getByRole('link').waitFor()
  assert.deepEqual(await page.evaluate(PLACE), before)
  // Another order begins with its first row.
  await grid.getByRole('button', { name: 'Name' }).click()
  await grid.locator('[aria-rowindex="2"]').waitFor()
}

import { untilShown } from '../../browser/until-shown.ts'
import type { Desk } from '../../jobs/job.ts'
import { NOT_READY_SEARCH } from '../../pages/searches.ts'

const RESULTS = /\d results$/
/** A row that is far below the window. */
const ROW = '[aria-rowindex="562"]'

/** Finds a cluster by its name from another page, and reads its page to the end. */
export async function findInPalette({ tab: { page }, rig: { clusters } }: Desk): Promise<void> {
  // A new one, which the generator changes: every sixth cluster has this word in its name.
  const name = `payments-${String(clusters - (clusters % 6)).padStart(6, '0')}`
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Search across everything' })
  await palette.getByRole('combobox').waitFor()
  await page.keyboard.type(name.slice(-5))
  await palette.getByRole('option').filter({ hasText: name }).first().click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('heading', { name: 'Conditions' }).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
}

/** Opens the list of all clusters, with the focus in its search. */
async function searchClusters({ tab: { page, open } }: Desk): Promise<void> {
  await open('/resources/clusters')
  // Not the list of the job before.
  await page.locator('[data-search][value=""]').waitFor()
  await untilShown(page, RESULTS)
  // In the search field, / would be text.
  await page.getByRole('grid').focus()
  await page.keyboard.press('/')
}

/** Completes a label and its value in the search of the list. */
export async function completeLabel(desk: Desk): Promise<void> {
  const { page } = desk.tab
  await searchClusters(desk)
  await page.keyboard.type("labels.tier = 'go")
  await page.getByRole('listbox', { name: 'Completions' }).getByText('gold').first().click()
  await page.keyboard.press('Enter')
  await page.waitForURL(/[?&]q=.*gold/)
  await page.getByText(RESULTS).waitFor()
}

/** Finds a cluster that is not ready, and reads why. */
export async function readWhyNotReady(desk: Desk): Promise<void> {
  const { page } = desk.tab
  await searchClusters(desk)
  await page.keyboard.type(NOT_READY_SEARCH)
  await page.keyboard.press('Enter')
  await page.waitForURL(/[?&]q=.*production/)
  await page.getByText(RESULTS).waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Conditions' }).waitFor()
}

/** Sorts the list, hides a column and shows it again. The address has both. */
export async function arrangeList({ tab: { page, open }, user }: Desk): Promise<void> {
  await open('/resources/clusters')
  await untilShown(page, RESULTS)
  await page.getByRole('grid').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/sort=name/)
  for (let toggles = 0; toggles < 2; toggles += 1) {
    await user.activate(page.getByRole('button', { name: 'Columns' }))
    await page.getByRole('menuitemcheckbox').last().click()
    await page.keyboard.press('Escape')
  }
}

/** Opens a cluster far below in the list, and returns to its place. */
export async function returnToPlace({ tab: { page, open } }: Desk): Promise<void> {
  await open('/resources/clusters')
  const grid = page.getByRole('grid', { name: 'Clusters' })
  await untilShown(page, RESULTS)
  await grid.evaluate((element) => element.scrollTo(0, 20_000))
  await grid.locator(ROW).getByRole('link').click()
  await page.getByRole('heading', { name: 'Conditions' }).waitFor()
  await page.goBack()
  await grid.locator(ROW).getByRole('link').waitFor()
}

/** Looks at the keys of the console. */
export async function readKeys({ tab: { page, open } }: Desk): Promise<void> {
  await open('/fleets')
  await page.getByRole('heading', { level: 1, name: 'Fleets' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'hidden' })
}

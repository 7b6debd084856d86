import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { assertAccessible } from '../browser/assert-accessible.ts'
import { ADAPTED } from '../rig/fake-adapters.ts'
import type { Desk } from './job.ts'

/** More than the entries of the menu. */
const MAX_ENTRIES = 50

/** The request for the views of a kind, which the menu shows. */
const LIST_OF_VIEWS = /\/views\?.*spec\.kind/

/**
 * Saves a list as a view with an alert, sees the alert fire in the header and on the overview, opens
 * the view by its link, makes it the first page, and saves it again with another alert.
 */
export async function saveView(desk: Desk): Promise<void> {
  const { tab, user, rig, by } = desk
  const { page, open } = tab
  const { client } = rig.server
  const name = `saved-by-${by}`
  const crew = `crew-${by}`
  await client.clusters.create({ name: `watched-by-${by}`, labels: { ...ADAPTED, crew } })
  await open(`/resources/clusters?q=${encodeURIComponent(`labels.crew='${crew}'`)}`)
  await page.getByText('1 result', { exact: true }).waitFor()
  await choose(desk, 'Save as a view…')
  const dialog = page.getByRole('dialog', { name: 'Save this list as a view' })
  await user.write(dialog.getByLabel('Name'), name)
  await user.write(dialog.getByLabel('Alert if more than'), '0')
  await user.write(dialog.getByLabel('For minutes'), '0')
  await assertAccessible(page, `save a view with ${by}`)
  await user.activate(dialog.getByRole('button', { name: 'Save view' }))
  await page.waitForURL(`**/resources/clusters?*view=${name}*`)
  // The link in the header. The badge of the view can show its alert, too.
  await page.getByRole('link', { name: /^\d+ alerts? fires?$/ }).waitFor()
  await choose(desk, `Open ${name} first`)
  await open('/')
  await page.waitForURL(`**/resources/clusters?*view=${name}*`)
  await page.getByText('1 result', { exact: true }).waitFor()
  await page.getByRole('link', { name: `View ${name}: alert fires` }).waitFor()
  await choose(desk, 'Open the overview first')
  // The dialog has the view, however slowly the list of all views arrives.
  await page.route(LIST_OF_VIEWS, () => undefined)
  await open('/')
  const panel = page.getByRole('region', { name: 'Alerts that fire' })
  await panel.getByText('More than 0 resources match').first().waitFor()
  await assertAccessible(page, `alerts that fire with ${by}`)
  await user.activate(panel.getByRole('link', { name }))
  await page.waitForURL(`**/resources/clusters?*view=${name}*`)
  await choose(desk, 'Save as a view…')
  await page.unroute(LIST_OF_VIEWS)
  await user.write(dialog.getByLabel('For minutes'), '5')
  await user.activate(dialog.getByRole('button', { name: 'Save view' }))
  await page.getByText(`${name} is changed`).waitFor()
  const view = await client.views.getByName(name)
  assert.deepEqual(view.spec.alert, { more_than: 0, for_minutes: 5 })
  await client.views.delete(view.id)
  // Its alert would stay in the header of the next page.
  await client.views.waitForRemoval(view.id)
}

/** Chooses an entry of the menu above the list. */
async function choose({ tab: { page }, user, by }: Desk, label: string): Promise<void> {
  await user.activate(page.getByRole('button', { name: 'Saved searches' }))
  const item = page.getByRole('menuitem', { name: label, exact: true, disabled: false })
  await (by === 'touch' ? user.activate(item) : chooseByArrows(item))
}

async function chooseByArrows(item: Locator): Promise<void> {
  const page = item.page()
  await item.waitFor()
  // Arrow keys move between the entries of an open menu.
  for (let presses = 0; presses < MAX_ENTRIES; presses += 1) {
    if (await item.evaluate((element) => element.matches(':focus'))) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

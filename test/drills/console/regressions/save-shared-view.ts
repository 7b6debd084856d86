import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

const NAME = 'shared-pools'
const THEIRS = "name='theirs'"

/** A view that others change after it was opened, but before the dialog: their change is kept. */
export async function saveSharedView({ browser, server }: ConsoleRig): Promise<void> {
  const { views } = server.client
  const { id } = await views.create({ name: NAME, spec: { kind: 'NodePool' } })
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open(`/views/${NAME}`)
  await page.waitForURL(`**/resources/nodepools?*view=${NAME}*`)
  await page.getByRole('link', { name: `View ${NAME}` }).waitFor()
  await views.patch(id, { spec: { kind: 'NodePool', search: THEIRS } })
  await readViewsAgain(page)

  await page.getByRole('button', { name: 'Saved searches' }).click()
  await page.getByRole('menuitem', { name: 'Save as a view…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this list as a view' })
  await dialog.getByLabel('Alert if more than').fill('7')
  const save = dialog.getByRole('button', { name: 'Save view' })
  await save.click()
  await page
    .getByText(/^Others have changed|is changed$/)
    .first()
    .waitFor()
  assert.equal((await views.get(id)).spec.search, THEIRS, 'the change of others is lost')
  await save.click()
  await page.getByText(`${NAME} is changed`).waitFor()
  assert.deepEqual((await views.get(id)).spec.alert, { more_than: 7, for_minutes: 5 })
  await tab.assertClean()
}

/** Leaves the list and comes back when the views in its cache are old. */
async function readViewsAgain(page: Page): Promise<void> {
  const address = page.url()
  await page.getByRole('link', { name: 'Fleets', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Fleets' }).waitFor()
  await page.clock.setSystemTime(Date.now() + 60_000)
  const views = page.waitForResponse(/\/views\?.*spec\.kind/)
  await page.goBack()
  await page.waitForURL(address)
  await views
}

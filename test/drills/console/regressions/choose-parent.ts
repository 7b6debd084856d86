import { assertAccessible } from '../browser/assert-accessible.ts'
import { openTab } from '../browser/console-tab.ts'
import { keyboardUser } from '../browser/user.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { SAMPLES } from '../rig/create-samples.ts'

/** Forms send dry runs while their input is incomplete. */
const EXPECTED = /status of 400 .*dryRun=All/

/** The parent of a new node pool is chosen in one field by its name, with the keyboard. */
export async function chooseParent({ browser, server, clusterId }: ConsoleRig): Promise<void> {
  await using tab = await openTab(browser, server.origin, { expects: EXPECTED })
  const { page } = tab
  const user = keyboardUser(page)
  await tab.open('/resources/nodepools/new')
  const parent = page.getByRole('combobox', { name: 'Cluster (required)' })
  await user.write(parent, `${SAMPLES.cluster}x`)
  await page.getByText('No name starts with this.').waitFor()
  await assertAccessible(page, 'a form with an unknown parent')
  await user.write(parent, SAMPLES.cluster)
  await page.waitForURL(new RegExp(clusterId))
  await user.write(page.getByRole('textbox', { name: 'Name (required)' }), 'chosen-parent')
  await page.getByText('The server accepts this').waitFor()
  // Tab indents in the editor before the button.
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'chosen-parent' }).waitFor()
  await page.getByRole('link', { name: clusterId }).waitFor()
  await tab.assertClean()
}

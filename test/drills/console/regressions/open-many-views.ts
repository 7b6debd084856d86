import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

/** More than one page of a list. */
const VIEWS = 120

/** The menu of a list has all views of its kind. */
export async function openManyViews({ browser, server }: ConsoleRig): Promise<void> {
  const names = Array.from({ length: VIEWS }, (_, index) => `pools-${100 + index}`)
  const spec = { kind: 'NodePool' }
  await server.client.views.createMany(names.map((name) => ({ name, spec })))
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open('/resources/nodepools')
  await page.getByRole('button', { name: 'Saved searches' }).click()
  await page.getByRole('menuitem', { name: 'pools-100' }).waitFor()
  await page.getByRole('menuitem', { name: 'pools-219' }).click()
  await page.waitForURL('**/resources/nodepools?*view=pools-219*')
  await tab.assertClean()
}

import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

const FIELD = 'labels."team,owner"'

/** The overview groups by a label whose key and value have commas. */
export async function groupByLabel({ browser, server }: ConsoleRig): Promise<void> {
  const labels = { 'team,owner': 'ada,bob' }
  await server.client.clusters.create({ name: 'with-commas', labels })
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open('/')
  const panel = page.getByRole('region', { name: 'What broke: clusters' })
  await panel.getByRole('combobox', { name: 'Group clusters by' }).selectOption(FIELD)
  await panel.getByRole('columnheader', { name: FIELD }).first().waitFor()
  await tab.assertClean()
}

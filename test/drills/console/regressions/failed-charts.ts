import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

const EXPECTED = /404 \(Not Found\).*\/series\?/

/** Charts that cannot be read say so, and do not claim that nothing is recorded yet. */
export async function failedCharts({ browser, server }: ConsoleRig): Promise<void> {
  await using tab = await openTab(browser, server.origin, { expects: EXPECTED })
  const { page } = tab
  await page.route('**/series?*range=day*', (route) => route.fulfill({ status: 404, body: '' }))
  await tab.open('/')
  const charts = page.getByRole('region', { name: 'Over time' })
  await charts.getByRole('button', { name: 'Day' }).click()
  await charts.getByRole('alert').waitFor()
  await charts.getByText('The charts begin').waitFor({ state: 'detached' })
  await tab.assertClean()
}

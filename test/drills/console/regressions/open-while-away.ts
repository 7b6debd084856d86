import assert from 'node:assert/strict'
import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

const EXPECTED = /ERR_INTERNET_DISCONNECTED|PageLoadError/

/** A page that is opened while the server is away appears when it is back. */
export async function openWhileAway({ browser, server }: ConsoleRig): Promise<void> {
  await using tab = await openTab(browser, server.origin, { expects: EXPECTED })
  const { page } = tab
  await tab.open('/settings')
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Fleets' }).first().click()
  await page.getByText('This page opens when it is back').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'Fleets' }).waitFor()
  assert.match(page.url(), /\/console\/fleets$/)
  await tab.assertClean()
}

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openTab } from '../browser/console-tab.ts'
import { untilShown } from '../browser/until-shown.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { ATTACKED, createAttacks } from './create-attacks.ts'
import { PAYLOADS } from './payloads.ts'

/** Requests for things that do not exist, and searches that the server rejects. */
const EXPECTED = /the server responded with a status of (400|404)/

/** Opens every page that shows a payload. The page shows it as text, and nothing runs. */
export async function resistAttacks({ browser, server }: ConsoleRig): Promise<void> {
  const id = await createAttacks(server.client)
  await using tab = await openTab(browser, server.origin, { expects: EXPECTED })
  for (const path of attackedPaths(id)) {
    await tab.open(path)
    await tab.page.getByRole('heading', { level: 1 }).waitFor()
    await tab.page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' })
    await assertNoActiveElements(tab.page)
    await tab.assertClean()
  }
  await tab.open(`/resources/clusters/${id}`)
  await untilShown(tab.page, PAYLOADS.image)
}

function attackedPaths(id: string): readonly string[] {
  const payload = encodeURIComponent(PAYLOADS.image)
  return [
    `/resources/clusters?q=${encodeURIComponent("name='attacked'")}`,
    `/resources/clusters?q=${payload}`,
    `/resources/clusters/${id}`,
    `/resources/clusters/${payload}`,
    `/resources/${payload}`,
    `/fleets/${payload}`,
    `/planes/root/core/v1/configmaps`,
    `/planes/root/core/v1/configmaps/default/${ATTACKED.configMap}`,
    `/planes/root/${payload}/v1/configmaps`,
    `/sandboxes/root/default/${payload}`,
    `/${payload}`,
  ]
}

/** No payload became an element, an attribute with code, or an address with code. */
async function assertNoActiveElements(page: Page): Promise<void> {
  const found = await page.evaluate(`
    [...document.querySelectorAll('img[src="x"], [onerror], [onload], [href^="javascript:" i]')]
      .map((element) => element.outerHTML)`)
  assert.deepEqual(found, [])
}

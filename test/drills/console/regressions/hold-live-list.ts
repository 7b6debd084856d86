import assert from 'node:assert/strict'
import { clusterId } from '../../../../bench/data/cluster.ts'
import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

/** More than the list has. */
const CHANGES = 60
const LAST = 'after-the-changes'

/** The list of the last changes keeps the row with the focus while all of its rows change. */
export async function holdLiveList({ browser, server }: ConsoleRig): Promise<void> {
  const { clusters } = server.client
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open('/')
  const feed = page.getByRole('list', { name: 'Last changes' })
  const link = feed.getByRole('link').first()
  await link.focus()
  const text = await link.innerText()
  const numbers = Array.from({ length: CHANGES }, (_, index) => index + 1)
  const change = { labels: { held: 'true' } }
  await Promise.all(numbers.map((number) => clusters.mergePatch(clusterId(number), change)))
  await clusters.create({ name: LAST })
  // The page reads this list when the message that changes both has arrived.
  const notReady = page.getByRole('region', { name: 'Clusters that are not ready' })
  await notReady.getByText(LAST).waitFor()
  assert.equal(await page.evaluate('document.activeElement.innerText'), text)

  // One stop of Tab, with arrow keys for its links.
  await page.keyboard.press('ArrowDown')
  const second = feed.getByRole('link').nth(1)
  assert.equal(await second.evaluate((element) => element.matches(':focus')), true)
  await page.keyboard.press('Tab')
  assert.equal(await feed.evaluate((list) => list.matches(':focus-within')), false)
  await feed.getByText(LAST).waitFor()
  await tab.assertClean()
}

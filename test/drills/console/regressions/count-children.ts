import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

/** More than the children that a page shows. */
const CHILDREN = 120

/** The page of a cluster counts all of its node pools, and leads to them. */
export async function countChildren({ browser, server }: ConsoleRig): Promise<void> {
  const { clusters, nodepools } = server.client
  const { id } = await clusters.create({ name: 'many-pools' })
  const pools = Array.from({ length: CHILDREN }, (_, index) => ({ name: `pool-${100 + index}` }))
  await nodepools.createMany(id, pools)
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open(`/resources/clusters/${id}`)
  const panel = page.getByRole('region', { name: 'Node pools' })
  await panel.getByRole('link', { name: 'pool-100' }).waitFor()
  await panel.getByText(String(CHILDREN), { exact: true }).waitFor()
  await panel.getByRole('link', { name: `Show all ${CHILDREN}` }).click()
  await page.getByText(`${CHILDREN} results`, { exact: true }).waitFor()
  await tab.assertClean()
}

import assert from 'node:assert/strict'
import { assertAccessible } from '../browser/assert-accessible.ts'
import { type ConsoleTab, openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { SAMPLES } from '../rig/create-samples.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const NAMES = ['feature-1', 'feature-10', 'feature-2']

/**
 * The plane of a cluster has the cluster's name, its tables sort, and the topology of the cluster has
 * its objects. Dialogs cause no errors.
 */
export async function browsePlanes({ browser, server, clusterId }: ConsoleRig): Promise<void> {
  for (const name of NAMES) {
    await server.client.plane(clusterId).request({
      method: 'POST',
      path: CONFIG_MAPS,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
    })
  }
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open(`/planes/${clusterId}`)
  await page.getByRole('heading', { level: 1, name: `Plane of ${SAMPLES.cluster}` }).waitFor()
  await page.getByRole('link', { name: 'ConfigMap', exact: true }).click()
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  const names = page.getByRole('cell', { name: /^feature-/ })
  await names.nth(2).waitFor()
  assert.deepEqual(await names.allInnerTexts(), ['feature-1', 'feature-2', 'feature-10'])
  await page.goBack()
  await page.getByRole('link', { name: 'Open the cluster' }).click()
  await page.getByText('Objects of the plane, by owner').press('Enter')
  await page.getByText(/^ConfigMap \d/).press('Enter')
  await page.getByRole('link', { name: 'ConfigMap default/feature-10' }).waitFor()
  await assertAccessible(page, 'an open topology')
  await page.getByRole('button', { name: /^More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByText('It waits for the clean-up of').waitFor()
  await page.keyboard.press('Escape')

  await tab.open(`/sandboxes/root/default/${SAMPLES.sandbox}`)
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText(/its memory, its processes and its connections are lost/).waitFor()
  await keepsLinkInPlace(tab)
  await tab.assertClean()
}

/** The link to the page of a sandbox stays under the pointer when the kinds of the plane are known. */
async function keepsLinkInPlace({ page, open }: ConsoleTab): Promise<void> {
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route(
    ({ pathname }) => pathname.endsWith('/apis'),
    async (route) => {
      await answered
      await route.continue()
    },
  )
  await open(`/planes/root/agents.x-k8s.io/v1beta1/sandboxes/default/${SAMPLES.sandbox}`)
  const link = page.getByRole('link', { name: 'Open its page' })
  const before = await link.boundingBox()
  answer()
  await page.locator('button:enabled', { hasText: 'Delete' }).waitFor()
  assert.deepEqual(await link.boundingBox(), before)
}

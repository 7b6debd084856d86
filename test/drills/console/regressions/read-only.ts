import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { openTab } from '../browser/console-tab.ts'
import { startTimedServer } from '../recovery/timed-server.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
const READER = 'reader@example.com'
/** Chromium logs the request without a token. */
const EXPECTED = /the server responded with a status of 401/

/** Disables the actions of a reader with the reason, and omits pages that it may not read. */
export async function readOnly({ browser, databaseUrl, clusterId }: ConsoleRig): Promise<void> {
  await using server = await startTimedServer(databaseUrl, {
    AUTHORIZATION: 'rbac',
    AUTHORIZATION_ADMINS: 'user:drill@example.com',
  })
  await server.client.plane('root').request({
    method: 'POST',
    path: BINDINGS,
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: `console-reader-${randomUUID()}` },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'hyperfleet-reader',
      },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: READER }],
    },
  })
  await using tab = await openTab(browser, server.origin, { expects: EXPECTED })
  const { page } = tab
  await tab.open(`/resources/clusters/${clusterId}`)
  await page.getByLabel('Bearer token').fill(server.newToken(READER))
  await page.keyboard.press('Enter')
  const edit = page.getByRole('button', { name: 'Edit', exact: true, disabled: true })
  await edit.waitFor()
  assert.match((await edit.getAttribute('title')) ?? '', /do not allow patch on clusters/)
  await page.getByRole('button', { name: 'Edit labels', disabled: true }).waitFor()
  await page.getByRole('button', { name: 'Create NodePool', disabled: true }).waitFor()
  await page.getByText('The role hyperfleet-auditor shows it.').waitFor()
  await page.getByText('created the resource').waitFor()
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Fleets' }).waitFor({ state: 'hidden' })
  await tab.open('/timeline')
  await page.getByText('The role hyperfleet-auditor shows it.').waitFor()
  await tab.open(`/resources/clusters/${clusterId}/edit`)
  await page.getByText('You may not do this').waitFor()
  assert.equal(await page.getByRole('textbox').count(), 0)
  await tab.assertClean()
}

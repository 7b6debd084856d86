import assert from 'node:assert/strict'
import { yamlEditor } from '../../browser/yaml-editor.ts'
import type { Desk } from '../../jobs/job.ts'
import { suspendSandbox } from '../../jobs/suspend-sandbox.ts'
import { sandbox } from '../../rig/create-samples.ts'
import { ADAPTED } from '../../rig/fake-adapters.ts'

const CORE = '/api/v1/namespaces/default'
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const SCENARIOS = '/apis/kplane.dev/v1/scenarios'
const PASSWORD = 'correct horse battery'

/** Creates a fleet, and claims and releases one of its members. */
export async function claimMember({ tab, user, rig, by }: Desk): Promise<void> {
  const { page, open } = tab
  const name = `claimed-by-${by}`
  const scenario = {
    apiVersion: 'kplane.dev/v1',
    kind: 'Scenario',
    metadata: { name },
    spec: { labels: ADAPTED },
  }
  await rig.server.client.plane('root').request({ method: 'POST', path: SCENARIOS, body: scenario })
  await open('/fleets')
  await user.activate(page.getByRole('button', { name: 'Create fleet' }))
  const creation = page.getByRole('dialog', { name: 'Create a fleet' })
  await user.write(creation.getByRole('textbox', { name: 'Name', exact: true }), name)
  await user.write(creation.getByRole('textbox', { name: 'Members' }), '2')
  await user.write(creation.getByRole('textbox', { name: 'Scenario' }), name)
  await user.activate(creation.getByRole('button', { name: 'Create fleet' }))
  await page.getByText('Available 2').waitFor()
  await user.activate(page.getByRole('button', { name: 'Claim a member' }))
  const claim = page.getByRole('dialog', { name: 'Claim a member' })
  await user.write(claim.getByRole('textbox', { name: 'Holder' }), by)
  await user.activate(claim.getByRole('button', { name: 'Claim', exact: true }))
  await page.getByText('Claimed 1').waitFor()
  await user.activate(page.getByRole('button', { name: 'Release', exact: true }))
  const release = page.getByRole('dialog', { name: `Release ${name}-` })
  await user.activate(release.getByRole('button', { name: 'Release', exact: true }))
  await page.getByText('Available 2').waitFor()
}

/** Finds the member of a fleet whose name belongs to another cluster, and reads why it failed. */
export async function findStuckMember({ tab: { page, open }, rig, by }: Desk): Promise<void> {
  const { client } = rig.server
  const name = `stuck-by-${by}`
  const member = `${name}-0001`
  await client.clusters.create({ name: member })
  await client.createFleet({ name, replicas: 3, template: { labels: ADAPTED } })
  await open(`/fleets/${name}`)
  await page.getByText('Failed 1').waitFor()
  await page.getByText('Available 2').waitFor()
  await page.getByRole('listbox', { name: 'Members' }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  const panel = page.getByRole('region', { name: member })
  await panel.getByText(/^NameConflict: a cluster that is not a member/).waitFor()
}

/** Reads a value of a Secret, and edits a ConfigMap. */
export async function editPlane({ tab: { page, open }, user, rig, by }: Desk): Promise<void> {
  const root = rig.server.client.plane('root')
  const metadata = { name: `edited-by-${by}` }
  const create = (plural: string, body: object) =>
    root.request({ method: 'POST', path: `${CORE}/${plural}`, body })
  await create('secrets', { kind: 'Secret', metadata, stringData: { password: PASSWORD } })
  await create('configmaps', { kind: 'ConfigMap', metadata, data: { size: 'small' } })
  await open(`/planes/root/core/v1/secrets/default/${metadata.name}`)
  await user.activate(page.getByRole('button', { name: 'Show password' }))
  await page.getByText(PASSWORD).waitFor()
  await open(`/planes/root/core/v1/configmaps/default/${metadata.name}`)
  const header = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${metadata.name}\n`
  await user.write(yamlEditor(page), `${header}  namespace: default\ndata:\n  size: large\n`)
  await user.activate(page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByText(`Saved ${metadata.name}`).waitFor()
  const path = `${CORE}/configmaps/${metadata.name}`
  const stored = await root.request<{ readonly data: unknown }>({ method: 'GET', path })
  assert.deepEqual(stored.data, { size: 'large' })
}

/** Creates a sandbox, runs a command in it and reads its log. */
export async function useSandbox({ tab: { page, open }, user, rig, by }: Desk): Promise<void> {
  const name = `created-by-${by}`
  await open('/sandboxes')
  await user.activate(page.getByRole('link', { name: 'Create sandbox' }))
  await user.write(yamlEditor(page), `${JSON.stringify(sandbox(name), null, 2)}\n`)
  await user.activate(page.getByRole('button', { name: 'Create', exact: true }))
  await user.activate(page.getByRole('link', { name: 'Open its page' }))
  // The editor of the page before can show it too.
  await page.getByText('The workload runs').first().waitFor()
  await user.activate(page.getByRole('tab', { name: 'Terminal' }))
  await user.write(page.getByRole('textbox', { name: 'Command' }), 'echo $((6 * 7))')
  await page.keyboard.press('Enter')
  await page.getByRole('log', { name: 'Terminal' }).getByText(/^42$/m).waitFor()
  await user.activate(page.getByRole('tab', { name: 'Logs' }))
  await page
    .getByRole('log', { name: 'Logs' })
    .getByText(/\d\d:\d\d:\d\d/)
    .first()
    .waitFor()
  const root = rig.server.client.plane('root')
  await root.request({ method: 'DELETE', path: `${SANDBOXES}/${name}` })
}

/** Suspends a sandbox and resumes it. */
export async function resumeSandbox(desk: Desk): Promise<void> {
  const { tab, user, rig, by } = desk
  const { page } = tab
  await suspendSandbox(desk)
  await user.activate(page.getByRole('button', { name: 'Resume', exact: true }))
  const dialog = page.getByRole('dialog')
  await user.activate(dialog.getByRole('button', { name: 'Resume', exact: true }))
  await page.getByText('The workload runs').waitFor()
  const root = rig.server.client.plane('root')
  await root.request({ method: 'DELETE', path: `${SANDBOXES}/suspended-by-${by}` })
}

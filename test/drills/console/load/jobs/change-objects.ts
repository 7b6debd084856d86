import { yamlEditor } from '../../browser/yaml-editor.ts'
import type { Desk } from '../../jobs/job.ts'
import { SAMPLES } from '../../rig/create-samples.ts'
import { ADAPTED } from '../../rig/fake-adapters.ts'

/** Reads which part of a spec the adapters have not seen yet. No adapter of the rig reports on it again. */
export async function readUnseenChanges({ tab: { page, open }, rig, by }: Desk): Promise<void> {
  const { client } = rig.server
  const name = `behind-by-${by}`
  const { id } = await client.clusters.create({ name, labels: ADAPTED, spec: { replicas: 3 } })
  await client.clusters.waitFor(id, 'Ready')
  await client.clusters.mergePatch(id, { labels: { rig: null }, spec: { replicas: 5 } })
  await open(`/resources/clusters/${id}`)
  await page.getByRole('button', { name: 'Not seen yet' }).click()
  const diff = page.getByRole('group', { name: 'Changes of the spec that adapters have not seen' })
  await diff.getByText('replicas: 3').waitFor()
  await diff.getByText('replicas: 5').waitFor()
}

/** Merges a change of the spec with the labels that another user has changed meanwhile. */
export async function editBesideOthers({ tab, user, rig, by }: Desk): Promise<void> {
  const { page, open } = tab
  const { clusters } = rig.server.client
  const name = `shared-by-${by}`
  const { id } = await clusters.create({ name, labels: ADAPTED, spec: { replicas: 3 } })
  await open(`/resources/clusters/${id}`)
  await user.activate(page.getByRole('link', { name: 'Edit', exact: true }))
  await user.write(yamlEditor(page), 'labels:\n  rig: adapted\nspec:\n  replicas: 8\n')
  await clusters.mergePatch(id, { labels: { team: 'blue' } })
  await page.keyboard.press('ControlOrMeta+s')
  await user.activate(page.getByRole('button', { name: 'Continue with the merged edit' }))
  await user.activate(page.getByRole('button', { name: 'Save', exact: true }))
  await page.waitForURL(`**/resources/clusters/${id}`)
  await page.getByText('blue').first().waitFor()
}

/** Adds a label, then deletes the cluster with its node pool. */
export async function labelThenDelete({ tab, user, rig, by }: Desk): Promise<void> {
  const { page, open } = tab
  const { client } = rig.server
  const name = `removed-by-${by}`
  const { id } = await client.clusters.create({ name, labels: ADAPTED })
  await client.nodepools.create({ cluster: id, name: 'workers', spec: { replicas: 1 } })
  await open(`/resources/clusters/${id}`)
  await user.activate(page.getByRole('button', { name: 'Edit labels' }))
  const dialog = page.getByRole('dialog', { name: `Labels of ${name}` })
  await user.activate(dialog.getByRole('button', { name: 'Add label' }))
  await user.write(dialog.getByRole('textbox', { name: 'Key' }).last(), 'wave')
  await user.write(dialog.getByRole('textbox', { name: 'Value of wave' }), 'last')
  await user.activate(dialog.getByRole('button', { name: 'Save labels' }))
  await dialog.waitFor({ state: 'hidden' })
  await user.activate(page.getByRole('button', { name: /^More actions/ }))
  await user.activate(page.getByRole('menuitem', { name: 'Delete…' }))
  const deletion = page.getByRole('dialog', { name: `Delete ${name}` })
  await deletion.getByText('1 dependent resource below it').waitFor()
  await user.write(deletion.getByRole('textbox'), name)
  await user.activate(deletion.getByRole('button', { name: 'Delete Cluster' }))
  await deletion.waitFor({ state: 'hidden' })
  // No adapter of the rig finalizes node pools.
  await client.clusters.forceDelete(id, 'the end of the job')
}

/** Opens a shared view by the menu of the list. */
export async function openView({ tab: { page, open }, user }: Desk): Promise<void> {
  await open('/resources/clusters')
  await user.activate(page.getByRole('button', { name: 'Saved searches' }))
  await user.activate(page.getByRole('menuitem', { name: SAMPLES.view, exact: true }))
  await page.getByRole('grid').getByRole('link', { name: SAMPLES.cluster }).waitFor()
}

/** Reads how many members of a fleet are available. */
export async function readFleet({ tab: { page, open }, user }: Desk): Promise<void> {
  await open('/fleets')
  await user.activate(page.getByRole('link', { name: SAMPLES.fleet, exact: true }))
  await page.getByText('Available 24').first().waitFor()
}

/** Opens a config map of the root plane. */
export async function readPlane({ tab: { page, open }, user }: Desk): Promise<void> {
  await open('/planes/root/core/v1/configmaps')
  await user.activate(page.getByRole('cell', { name: SAMPLES.configMap, exact: true }))
  await page.getByText('Many small boats').first().waitFor()
}

import assert from 'node:assert/strict'
import { yamlEditor } from '../../browser/yaml-editor.ts'
import type { Desk } from '../../jobs/job.ts'
import { ADAPTED } from '../../rig/fake-adapters.ts'

/** Creates a cluster whose name the server rejects first. */
export async function correctError({ tab: { page, open }, user, by }: Desk): Promise<void> {
  const name = `corrected-by-${by}`
  await open('/resources/clusters/new')
  const text = 'name: Not a name\nlabels:\n  rig: adapted\nspec:\n  replicas: 3\n'
  await user.write(yamlEditor(page), text)
  await page.getByRole('status').filter({ hasText: '1 problem' }).waitFor()
  await user.write(page.getByRole('textbox', { name: 'Name (required)' }), name)
  await page.getByText('The server accepts this').waitFor()
  await user.activate(page.getByRole('button', { name: 'Create', exact: true }))
  await page.getByText(`${name} is ready at generation 1`).waitFor()
}

/** Keeps the own value of a field that another user has changed meanwhile. */
export async function editSameField({ tab, user, rig, by }: Desk): Promise<void> {
  const { page, open } = tab
  const { clusters } = rig.server.client
  const name = `disputed-by-${by}`
  const { id } = await clusters.create({ name, labels: ADAPTED, spec: { replicas: 3 } })
  await open(`/resources/clusters/${id}`)
  await user.activate(page.getByRole('link', { name: 'Edit', exact: true }))
  await user.write(yamlEditor(page), 'labels:\n  rig: adapted\nspec:\n  replicas: 8\n')
  await clusters.mergePatch(id, { spec: { replicas: 5 } })
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('group', { name: 'Both changed spec.replicas' }).waitFor()
  await user.activate(page.getByRole('radio', { name: /^Keep my value/ }))
  await user.activate(page.getByRole('button', { name: 'Continue with the merged edit' }))
  await user.activate(page.getByRole('button', { name: 'Save', exact: true }))
  await page.waitForURL(`**/resources/clusters/${id}`)
  assert.deepEqual((await clusters.get(id)).spec, { replicas: 8 })
}

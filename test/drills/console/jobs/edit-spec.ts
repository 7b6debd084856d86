import { yamlEditor } from '../browser/yaml-editor.ts'
import { ADAPTED } from '../rig/fake-adapters.ts'
import type { Desk } from './job.ts'

/** Edits the spec of a cluster and sees all adapters reach the new generation. */
export async function editSpec({ tab: { page, open }, user, rig, by }: Desk): Promise<void> {
  const { client } = rig.server
  const name = `edited-by-${by}`
  const { id } = await client.clusters.create({ name, labels: ADAPTED, spec: { replicas: 3 } })
  await client.clusters.waitFor(id, 'Ready')
  await open(`/resources/clusters/${id}`)
  await user.activate(page.getByRole('link', { name: 'Edit', exact: true }))
  const editor = yamlEditor(page)
  const text = `labels:\n  rig: adapted\nspec:\n  replicas: 7\n`
  await user.write(editor, text)
  await page.keyboard.press('ControlOrMeta+s')
  await page.waitForURL(`**/resources/clusters/${id}`)
  await page.getByText(/is ready at generation 2: all 4 required adapters/).waitFor()
  await page.getByText('Observed generation 2, the current one').nth(3).waitFor()
}

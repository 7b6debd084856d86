import { yamlEditor } from '../browser/yaml-editor.ts'
import type { Desk } from './job.ts'

/** Creates a cluster and sees it become ready. */
export async function createCluster({ tab: { page, open }, user, by }: Desk): Promise<void> {
  const name = `created-by-${by}`
  await open('/resources/clusters')
  await user.activate(page.getByRole('link', { name: 'Create', exact: true }))
  const text = `name: ${name}\nlabels:\n  rig: adapted\nspec:\n  replicas: 3\n`
  await user.write(yamlEditor(page), text)
  if (by === 'keyboard') await page.keyboard.press('ControlOrMeta+s')
  else await user.activate(page.getByRole('button', { name: 'Create', exact: true }))
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByText(`${name} is ready at generation 1`).waitFor()
}

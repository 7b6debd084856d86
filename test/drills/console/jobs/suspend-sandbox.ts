import { sandbox } from '../rig/create-samples.ts'
import type { Desk } from './job.ts'

const PATH = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'

/** Suspends a sandbox from its page and sees it suspended. */
export async function suspendSandbox({ tab: { page, open }, user, rig, by }: Desk): Promise<void> {
  const name = `suspended-by-${by}`
  const root = rig.server.client.plane('root')
  await root.request({ method: 'POST', path: PATH, body: sandbox(name) })
  await open('/sandboxes')
  await user.activate(page.getByRole('link', { name, exact: true }))
  await page.getByText('Running', { exact: true }).first().waitFor()
  await user.activate(page.getByRole('button', { name: /^Suspend/ }))
  const dialog = page.getByRole('dialog')
  await user.activate(dialog.getByRole('button', { name: 'Suspend', exact: true }))
  await page.getByText('Suspended', { exact: true }).first().waitFor()
}

import { ADAPTED } from '../rig/fake-adapters.ts'
import type { Desk } from './job.ts'

/** Scales a fleet from its page and sees the new members become ready. */
export async function scaleFleet({ tab: { page, open }, user, rig, by }: Desk): Promise<void> {
  const name = `scaled-by-${by}`
  await rig.server.client.createFleet({ name, replicas: 2, template: { labels: ADAPTED } })
  await open('/fleets')
  await user.activate(page.getByRole('link', { name, exact: true }))
  await user.activate(page.getByRole('button', { name: 'Scale', exact: true }))
  // The message that the fleet was scaled is a dialog too.
  const dialog = page.getByRole('dialog', { name: `Scale ${name}` })
  await user.write(dialog.getByRole('textbox', { name: 'Members' }), '6')
  await user.activate(dialog.getByRole('button', { name: 'Scale', exact: true }))
  await dialog.waitFor({ state: 'hidden' })
  await page
    .getByText(/6 (of|\/) 6/)
    .first()
    .waitFor()
}

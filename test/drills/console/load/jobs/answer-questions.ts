import assert from 'node:assert/strict'
import { ADAPTED } from '../../rig/fake-adapters.ts'
import { SAMPLES } from '../../rig/create-samples.ts'
import type { Desk } from '../../jobs/job.ts'

/** Says which reason broke most clusters in which region and version, and lists these clusters. */
export async function sayWhatBrokeMost({ tab: { page, open }, user }: Desk): Promise<void> {
  await open('/')
  const panel = page.getByRole('region', { name: 'What broke: clusters' })
  const picker = panel.getByRole('combobox', { name: 'Group clusters by' })
  for (const field of ['labels.region', 'spec.version']) {
    await picker.selectOption(field)
    await panel.getByRole('columnheader', { name: field }).first().waitFor()
  }
  const links = panel.getByRole('table').first().getByRole('link')
  const [adapter = '', reason = ''] = (await links.first().innerText()).split(/\s+/)
  // The order of the rows can change with each count.
  await user.activate(links.filter({ hasText: adapter }).filter({ hasText: reason }).first())
  await page.waitForURL(/[?&]q=/)
  await page.getByText(/\d results?$/).waitFor()
  const search = (new URL(page.url()).searchParams.get('q') ?? '').toLowerCase()
  for (const word of [adapter, reason, 'spec.version']) {
    assert.ok(
      word !== '' && search.includes(word.toLowerCase()),
      `${search} does not select ${word}`,
    )
  }
}

/** Says since when the adapters of clusters report. */
export async function findSilentAdapters({ tab: { page, open }, user }: Desk): Promise<void> {
  await open('/')
  const panel = page.getByRole('region', { name: 'What broke: node pools' })
  await user.activate(panel.getByRole('link', { name: 'Adapters' }))
  await page.getByRole('table', { name: 'Adapters of node pools' }).waitFor()
  await page.getByRole('table', { name: 'Node pools by adapter' }).waitFor()
}

/** Finds who deleted a cluster by its name. */
export async function findWhoDeleted({ tab: { page, open }, user, rig, by }: Desk): Promise<void> {
  const { clusters } = rig.server.client
  const name = `deleted-by-${by}`
  const { id } = await clusters.create({ name, labels: ADAPTED })
  await clusters.delete(id)
  await clusters.waitForRemoval(id)
  await open('/timeline')
  await user.write(page.getByRole('searchbox', { name: 'What' }), name)
  await page.keyboard.press('Enter')
  const deletion = page.getByRole('listitem').filter({ hasText: 'deleted' })
  await deletion.filter({ hasText: 'system@hyperfleet.local' }).first().waitFor()
}

/** Shows the last changes of the fleet. */
export async function seeWhatChanged({ tab: { page, open }, user }: Desk): Promise<void> {
  await open('/timeline')
  await user.write(page.getByRole('searchbox', { name: 'What' }), SAMPLES.cluster)
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').filter({ hasText: 'created' }).first().waitFor()
}

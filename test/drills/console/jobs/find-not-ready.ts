import assert from 'node:assert/strict'
import { clusterId } from '../../../../bench/data/cluster.ts'
import { must } from '../../../../src/lib/assert.ts'
import { NOT_READY_SEARCH } from '../pages/searches.ts'
import { NOT_READY_EVERY, notReadyStates } from '../rig/seeded-states.ts'
import type { Desk } from './job.ts'

/** The adapters that the explanation names, by the state of the seed. */
const REASONS: Readonly<Record<string, RegExp>> = {
  'provisioning-failed': /hypershift/,
  'no-pull-secret': /pullsecret/,
  'no-dns-report': /dns/,
  'no-report': /validator/,
}

/** Finds all production clusters that are not ready, and reads why the first one is not. */
export async function findNotReady({ tab: { page, open }, user, rig, by }: Desk): Promise<void> {
  await open('/')
  await user.activate(page.getByRole('link', { name: 'Clusters', exact: true }).first())
  await user.write(page.getByRole('combobox', { name: /^Search/ }), NOT_READY_SEARCH)
  const { total } = await rig.server.client.clusters.list({ search: NOT_READY_SEARCH }).firstPage()
  await page.getByText(`${total.toLocaleString('en')} results`).waitFor()
  const grid = page.getByRole('grid', { name: 'Clusters' })
  const row = grid
    .getByRole('row')
    .filter({ hasText: /-0\d{5}/ })
    .first()
  const [name = ''] = /[a-z]+-0\d{5}/.exec(await row.innerText()) ?? []
  await (by === 'keyboard' ? user.activate(grid) : user.activate(row))
  await page.waitForURL(`**/resources/clusters/${clusterId(numberOf(name))}`)
  const summary = page.getByRole('status').filter({ hasText: 'is not ready' })
  assert.match(await summary.innerText(), reasonOf(name))
}

function numberOf(name: string): number {
  return Number(name.slice(-6))
}

function reasonOf(name: string): RegExp {
  const states = notReadyStates()
  const state = states[Math.floor(numberOf(name) / NOT_READY_EVERY) % states.length]
  return must(REASONS[state ?? ''], `a reason of ${state}`)
}

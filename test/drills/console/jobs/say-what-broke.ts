import assert from 'node:assert/strict'
import type { Breakdown } from '../../../../clients/typescript/src/index.ts'
import { must } from '../../../../src/lib/assert.ts'
import { assertAccessible } from '../browser/assert-accessible.ts'
import type { Desk } from './job.ts'

/**
 * Says on the first page how many clusters fail and wait, which reason broke most, and in which region
 * and version. The row leads to exactly these clusters.
 */
export async function sayWhatBroke(desk: Desk): Promise<void> {
  const { tab, user, rig, by } = desk
  const { page, open } = tab
  await open('/')
  const panel = page.getByRole('region', { name: 'What broke: clusters' })
  const whole = await rig.server.client.breakdown({ kind: 'Cluster' })
  await panel.getByRole('heading', { name: `${text(whole.failing)} failing` }).waitFor()
  await panel.getByRole('heading', { name: /\d waiting/ }).waitFor()
  await followTile(desk)
  const picker = panel.getByRole('combobox', { name: 'Group clusters by' })
  for (const field of ['labels.region', 'spec.version']) {
    await picker.selectOption(field)
    const { first, adapter, reason } = worst(await breakdownBy(rig, field))
    const value = must(first.values[field], `a value of ${field}`)
    const row = panel.getByRole('row').filter({ hasText: value }).first()
    await row.getByText(reason).waitFor()
    assert.match(
      await row.innerText(),
      new RegExp(`${adapter}[^]*${reason}[^]*${text(first.count)}`),
    )
  }
  await assertAccessible(page, `what broke with ${by}`)
  await page.reload()
  const { first, adapter, reason } = worst(await breakdownBy(rig, 'spec.version'))
  await user.activate(panel.getByRole('link', { name: `${adapter} ${reason}` }).first())
  await page.waitForURL(/[?&]q=/)
  await page.getByText(`${text(first.count)} results`).waitFor()
  const { total } = await rig.server.client.clusters
    .list({ search: first.search ?? undefined })
    .firstPage()
  assert.equal(total, first.count)
}

/** The figures of the tile lead to lists with as many clusters, and together they are all of them. */
async function followTile({ tab: { page }, rig }: Desk): Promise<void> {
  const tile = page.getByRole('region', { name: 'Clusters', exact: true })
  const searches: string[] = []
  for (const state of ['failing', 'waiting']) {
    await tile.getByRole('link', { name: new RegExp(`\\d ${state}$`) }).click()
    await page.waitForURL(/[?&]q=/)
    searches.push(must(new URL(page.url()).searchParams.get('q'), 'a search'))
    await page.getByText(/\d results/).waitFor()
    await page.goBack()
  }
  const notReady = "status.conditions.Ready='False'"
  const [failing = '', waiting = ''] = searches
  assert.equal(await totalOf(rig, `(${failing}) and (${waiting})`), 0)
  assert.equal(await totalOf(rig, `${notReady} and not (${failing}) and not (${waiting})`), 0)
  const { failing: counted } = await rig.server.client.breakdown({ kind: 'Cluster' })
  assert.equal(await totalOf(rig, failing), counted)
}

async function totalOf({ server }: Desk['rig'], search: string): Promise<number> {
  return (await server.client.clusters.list({ search }).firstPage()).total
}

function breakdownBy({ server }: Desk['rig'], field: string): Promise<Breakdown> {
  return server.client.breakdown({ kind: 'Cluster', by: ['adapter', 'reason', field] })
}

function worst({ items }: Breakdown) {
  const first = must(items[0], 'a row')
  const { adapter, reason } = first.values
  return { first, adapter: must(adapter, 'an adapter'), reason: must(reason, 'a reason') }
}

function text(count: number): string {
  return count.toLocaleString('en')
}

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { startConsoleServer } from '../rig/console-server.ts'
import { createDatabase } from '../rig/create-database.ts'

/** Changes of which the log has lost the first ones: the history has all, and none twice. */
export async function readHistory({ browser, databaseUrl: shared }: ConsoleRig): Promise<void> {
  const databaseUrl = await createDatabase(shared)
  await using server = await startConsoleServer({ databaseUrl })
  const { clusters } = server.client
  const { id } = await clusters.create({ name: 'remembered', spec: { size: 1 } })
  await clusters.patch(id, { spec: { size: 2 } })
  while ((await clusters.history(id)).items.length < 2) await sleep(100)
  await dropLog(databaseUrl)
  await clusters.mergePatch(id, { labels: { tier: 'gold' } })
  while ((await clusters.history(id)).items.length < 3) await sleep(100)

  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open(`/resources/clusters/${id}`)
  const changes = page.getByRole('listitem').filter({ hasText: 'system@hyperfleet.local' })
  await page.getByText('labels.tier = gold').waitFor()
  assert.equal(await changes.count(), 1)
  await page.getByRole('button', { name: 'Show the history' }).click()
  await page.getByText('created the resource').waitFor()
  await page.getByText('spec.size: 1 → 2').waitFor()
  assert.equal(await changes.count(), 3)
  await tab.assertClean()
}

/** Drops all changes from the log, as it does after FEED_RETENTION. */
async function dropLog(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('update head set compacted = revision')
  } finally {
    await client.end()
  }
}

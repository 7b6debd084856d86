import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Client } from '../../../../clients/typescript/src/index.ts'
import { openTab } from '../browser/console-tab.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'
import { startConsoleServer } from '../rig/console-server.ts'
import { createDatabase } from '../rig/create-database.ts'

/**
 * Changes of which the log has lost the first ones: the timeline continues with the history, and has
 * none twice. After the deletion, the timeline of the fleet finds who deleted the resource by its
 * name, and leads to its page.
 */
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

  await using tab = await openTab(browser, server.origin, { expects: EXPECTED })
  const { page } = tab
  await tab.open(`/resources/clusters/${id}`)
  await page.getByText('labels.tier = gold').waitFor()
  await page.getByText('created the resource').waitFor()
  await page.getByText('spec.size: 1 → 2').waitFor()
  assert.equal(
    await page
      .getByRole('listitem')
      .filter({ hasText: /Change$/ })
      .count(),
    3,
  )

  await clusters.delete(id)
  await clusters.forceDelete(id, 'the end')
  while (!(await hasForcedDeletion(server.client, id))) await sleep(100)
  while (!(await hasReason(server.client, id))) await sleep(100)
  await tab.open('/timeline')
  await page.getByRole('searchbox', { name: 'What' }).fill('remembered')
  await page.keyboard.press('Enter')
  const deletion = page.getByRole('listitem').filter({ hasText: 'force-deleted' })
  await deletion.filter({ hasText: 'system@hyperfleet.local' }).getByRole('link').click()
  await page.getByText('reason: the end').waitFor()
  await tab.assertClean()
}

/** Chromium logs the request for the resource that was removed. */
const EXPECTED = /the server responded with a status of 404/

async function hasForcedDeletion(client: Client, id: string): Promise<boolean> {
  const search = `resource_id = '${id}' and verb = 'forcedelete'`
  return (await client.audit({ search })).items.length > 0
}

/** The history is collected about a second after the change. */
async function hasReason({ clusters }: Client, id: string): Promise<boolean> {
  return (await clusters.history(id)).items.some(({ reason }) => reason === 'the end')
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

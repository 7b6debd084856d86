import { expect, it } from 'vitest'
import { claimWork } from '../../src/adapter-work/storage/claim-work.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer } from '../support/test-server.ts'
import { createCluster, DNS_ONLY, lease } from './worker.ts'

const CLUSTERS = 5

it('skips the resources of claims in progress, without waiting for them', async () => {
  await using server = await startTestServer({ env: DNS_ONLY })
  await using database = openTestDatabase(server.databaseUrl)
  for (let count = 0; count < CLUSTERS; count += 1) await createCluster(server)
  // Fills the queue.
  await lease(server, { search: "name = 'no-cluster'", waitSeconds: 0 })
  const queue = {
    adapter: 'dns',
    kind: 'Cluster',
    isRequired: true,
    maxAgeSeconds: null,
    tenant: null,
  }
  const claim = { queue, filter: null, leaseSeconds: 60, limit: CLUSTERS }
  const [first, second] = await database.transaction(async (other) => [
    await claimWork(other, { ...claim, limit: 2, nonce: 'first' }),
    await claimWork(database, { ...claim, nonce: 'second' }),
  ])
  expect([first?.leased.length, second?.leased.length]).toEqual([2, CLUSTERS - 2])
  const leased = [first, second].flatMap((claimed) => claimed?.leased ?? [])
  expect(new Set(leased.map((row) => row.resource_id)).size).toBe(CLUSTERS)
})

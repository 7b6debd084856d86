import { expect } from 'vitest'
import { availableReport } from '../statuses/available-report.ts'
import { creation } from './fixtures.ts'
import type { TestServer } from './test-server.ts'

/** Creates a cluster whose conditions the server has found in sync with reports of these adapters. */
export async function syncedCluster(
  server: TestServer,
  adapters: readonly string[],
): Promise<string> {
  const created = await server.post('/clusters', creation('Cluster'))
  const path = `/clusters/${created.body.id}`
  // The first reports, the ones that find the cluster in sync, and the first refreshed ones.
  for (const seq of [0, 1, 2]) {
    for (const adapter of adapters) {
      const answer = await server.post(`${path}/statuses`, availableReport(adapter, 1, 'True', seq))
      expect(answer.status, answer.text).toBe(201)
    }
  }
  return path
}

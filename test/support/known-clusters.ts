import { expect } from 'vitest'
import { availableReport } from '../statuses/available-report.ts'
import { creation } from './fixtures.ts'
import type { TestServer } from './test-server.ts'

/** A new cluster of which the server knows the reports of these adapters, all with Available True. */
export async function clusterIn(server: TestServer, adapters: readonly string[]): Promise<string> {
  const created = await server.post('/clusters', creation('Cluster'))
  const path = `/clusters/${created.body.id}`
  // First ones, ones that show that the conditions follow, and ones at that version.
  for (const seq of [0, 1, 2]) {
    for (const adapter of adapters) {
      const answer = await server.post(`${path}/statuses`, availableReport(adapter, 1, 'True', seq))
      expect(answer.status, answer.text).toBe(201)
    }
  }
  return path
}

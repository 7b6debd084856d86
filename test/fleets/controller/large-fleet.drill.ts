import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { namesFrom, openFleet } from '../members/member-fixtures.ts'
import { NO_ADAPTERS, openFleets } from './fleet-fixture.ts'

const WAIT_MS = 120_000

test('9 999 → 10 001: the index grows to five digits, and no member is created twice', async () => {
  await using server = await startTestServer({ env: { ...NO_ADAPTERS, ROLE: 'all' } })
  const fleets = openFleets(server.origin)
  const policies = { scaleDownPolicy: 'Delete', deletionPolicy: 'Delete' }
  await fleets.create('big', { replicas: 9999, ...policies })
  await fleets.untilReady('big', 9999, WAIT_MS)
  await fleets.change('big', { replicas: 10_001 })
  await fleets.untilReady('big', 10_001, WAIT_MS)
  const names = new Set(await fleets.names('big'))
  expect(names.size).toBe(10_001)
  for (const name of ['big-0000', 'big-9999', 'big-10000']) expect(names).toContain(name)
  expect(await pagedNames(server, 'big')).toEqual([...namesFrom('big-', 0, 10_000), 'big-10000'])
  const { members, membersTruncated } = Object((await fleets.get('big'))['status'])
  expect(members).toHaveLength(1000)
  expect(membersTruncated).toBe(true)
  await fleets.change('big', { replicas: 9999 })
  await fleets.untilReady('big', 9999, WAIT_MS)
  const remaining = await fleets.names('big')
  expect(remaining.toSorted()).toEqual(namesFrom('big-', 0, 9999))
  await fleets.delete('big')
  await expect.poll(() => fleets.exists('big'), { timeout: WAIT_MS, interval: 200 }).toBe(false)
  expect(await fleets.names('big')).toEqual([])
}, 400_000)

/** The names of all members in the order of pages, each of which counts the remaining members. */
async function pagedNames(server: TestServer, name: string): Promise<readonly string[]> {
  const { api } = openFleet(server, name)
  const names: string[] = []
  for (let token = ''; ;) {
    const query = token === '' ? 'limit=1000' : `limit=1000&continue=${token}`
    const page = await api.call('GET', `/apis/kplane.dev/v1/fleets/${name}/members?${query}`)
    names.push(...page.body.items.map(({ clusterID }: { clusterID: string }) => clusterID))
    const { continue: next, remainingItemCount = 0 } = page.body.metadata
    expect(names.length + remainingItemCount).toBe(10_001)
    if (next === undefined) return names
    token = next
  }
}

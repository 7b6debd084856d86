import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { catchUp } from '../../feed/catch-up.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { createFleet } from './member-fixtures.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '[]' },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

interface WatchedEvent {
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of an event
  readonly object: any
}

/** The events of a watch, one after the other. */
async function openWatch(fleet: string, query = '') {
  await catchUp(server.feed)
  const ended = new AbortController()
  const path = `/apis/kplane.dev/v1/fleets/${fleet}/members?watch=true${query}`
  const response = await fetch(server.origin + path, { signal: ended.signal })
  const events = eventsOf(response)
  return {
    status: response.status,
    next: async (): Promise<WatchedEvent> => (await events.next()).value as WatchedEvent,
    /** `TYPE name phase` of the next events. */
    take: async (count: number): Promise<readonly string[]> => {
      const taken: string[] = []
      while (taken.length < count) {
        const { value } = await events.next()
        if (!value) break
        const { type, object } = value
        taken.push(`${type} ${object.clusterID} ${object.phase}`)
      }
      return taken
    },
    [Symbol.asyncDispose]: async () => {
      ended.abort()
      await events.return(undefined).catch(() => undefined)
    },
  }
}

async function* eventsOf(response: Response): AsyncGenerator<WatchedEvent, void> {
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

it('sends the existing members, then their claims, releases and removals', async () => {
  const fleet = await createFleet(server, 'seen', { replicas: 2, scaleDownPolicy: 'Delete' })
  await fleet.converge()
  await using watch = await openWatch('seen')
  expect((await watch.take(2)).toSorted()).toEqual([
    'ADDED seen-0000 Ready',
    'ADDED seen-0001 Ready',
  ])
  const { body } = await fleet.post('claim', { holder: 'a', clusterID: 'seen-0000' })
  const claimed = await watch.next()
  expect(claimed).toMatchObject({
    type: 'MODIFIED',
    object: {
      kind: 'FleetMember',
      metadata: { name: 'seen-0000' },
      clusterID: 'seen-0000',
      claim: { holder: 'a', claimID: body.claimID },
    },
  })
  await fleet.post('release', { clusterID: 'seen-0000', claimID: body.claimID })
  const recycled = await watch.next()
  expect(recycled.object).toMatchObject({ phase: 'Pending' })
  expect(recycled.object).not.toHaveProperty('claim')
  await fleet.converge()
  expect(await watch.take(1)).toEqual(['MODIFIED seen-0000 Ready'])
  await fleet.patchSpec({ replicas: 1 })
  await fleet.converge()
  expect((await watch.take(1))[0]).toContain('DELETED seen-0001')
  await fleet.patchSpec({ replicas: 2 })
  await fleet.converge()
  expect(await watch.take(1)).toEqual(['ADDED seen-0001 Ready'])
})

it('resumes after a resource version', async () => {
  const fleet = await createFleet(server, 'resumed', { replicas: 1 })
  await fleet.converge()
  await catchUp(server.feed)
  const list = await fleet.api.call('GET', '/apis/kplane.dev/v1/fleets/resumed/members')
  const { resourceVersion } = list.body.metadata
  const { body } = await fleet.post('claim', { holder: 'a' })
  await fleet.patchSpec({ replicas: 2 })
  await fleet.converge()
  await using watch = await openWatch('resumed', `&resourceVersion=${resourceVersion}`)
  const claimed = await watch.next()
  expect(claimed.object.claim.claimID).toBe(body.claimID)
  expect(BigInt(claimed.object.metadata.resourceVersion)).toBeGreaterThan(BigInt(resourceVersion))
  expect(await watch.take(1)).toEqual(['ADDED resumed-0001 Ready'])
})

it('members enter and leave a phase', async () => {
  const fleet = await createFleet(server, 'phased', { replicas: 2 })
  await fleet.converge()
  await using watch = await openWatch('phased', '&phase=Pending')
  const { body } = await fleet.post('claim', { holder: 'a' })
  await fleet.post('release', { clusterID: body.clusterID, claimID: body.claimID })
  expect(await watch.take(1)).toEqual([`ADDED ${body.clusterID} Pending`])
  await fleet.converge()
  // Claim and release may arrive together, each with the state after both.
  let event = await watch.take(1)
  while (event[0]?.startsWith('MODIFIED')) event = await watch.take(1)
  expect(event).toEqual([`DELETED ${body.clusterID} Ready`])
  const { body: list } = await fleet.api.call(
    'GET',
    '/apis/kplane.dev/v1/fleets/phased/members?phase=Ready&limit=1',
  )
  expect(list.items).toHaveLength(1)
  expect(list.metadata.remainingItemCount).toBe(1)
})

it('an orphaned member is DELETED, an adopted one ADDED', async () => {
  const fleet = await createFleet(server, 'left', { replicas: 1 })
  await fleet.converge()
  await using watch = await openWatch('left')
  expect(await watch.take(1)).toEqual(['ADDED left-0000 Ready'])
  await fleet.patchSpec({ replicas: 0 })
  await fleet.converge()
  expect((await watch.take(1))[0]).toContain('DELETED left-0000')
  await fleet.patchSpec({ replicas: 1 })
  await fleet.converge()
  expect(await watch.take(1)).toEqual(['ADDED left-0000 Ready'])
})

it('does not send members of other fleets', async () => {
  const fleet = await createFleet(server, 'mine', { replicas: 0 })
  const other = await createFleet(server, 'theirs', { replicas: 3 })
  await using watch = await openWatch('mine')
  await other.converge()
  await fleet.patchSpec({ replicas: 1 })
  await fleet.converge()
  expect(await watch.take(1)).toEqual(['ADDED mine-0000 Ready'])
})

it('an expired resource version is 410, an absent fleet 404', async () => {
  const fleet = await createFleet(server, 'gone', { replicas: 0 })
  await using database = openTestDatabase(server.databaseUrl)
  await server.post('/clusters', { kind: 'Cluster', name: 'first', spec: {} })
  await server.post('/clusters', { kind: 'Cluster', name: 'second', spec: {} })
  const revision = async () => {
    const list = await fleet.api.call('GET', '/apis/kplane.dev/v1/fleets/gone/members')
    return Number(list.body.metadata.resourceVersion)
  }
  await expect.poll(revision).toBeGreaterThan(1)
  await database.pool.query('update head set compacted = revision')
  await using expired = await openWatch('gone', '&resourceVersion=1')
  expect(expired.status).toBe(410)
  await using absent = await openWatch('absent')
  expect(absent.status).toBe(404)
  expect((await fleet.api.call('GET', '/apis/kplane.dev/v1/fleets/absent/members')).status).toBe(
    404,
  )
  const path = '/apis/kplane.dev/v1/fleets/gone/members'
  expect((await fleet.api.call('GET', `${path}?continue=x`)).status).toBe(400)
  expect((await fleet.api.call('GET', `${path}?phase=x`)).status).toBe(400)
})

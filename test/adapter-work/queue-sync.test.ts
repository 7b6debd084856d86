import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSemaphore } from '../../src/lib/async/semaphore.ts'
import { type Feed, startFeed } from '../../src/store/feed/feed.ts'
import { createRegistry, type Registry } from '../../src/store/registry/registry.ts'
import type { Database } from '../../src/store/database/database.ts'
import { loadSpecSchemas } from '../../src/hyperfleet/openapi/load.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { AdapterWork } from '../../src/adapter-work/adapter-work.ts'
import { QueueSync } from '../../src/adapter-work/queue-sync.ts'
import type { WorkRequest } from '../../src/adapter-work/work-request.ts'
import type { LeasedRow } from '../../src/adapter-work/storage/claim-work.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'

const TENANT = '{"org":"one"}'
const signal = new AbortController().signal
const onError = (error: unknown) => {
  throw error
}

describe('the queues in one process', () => {
  let created: TestDatabase
  let database: Database
  let feed: Feed
  let registry: Registry
  beforeAll(async () => {
    created = await createTestDatabase()
    database = openTestDatabase(created.url)
    const retention = { seconds: 3600, changes: 1_000_000 }
    feed = await startFeed({ database, retention, onError: () => undefined })
    const specSchemas = await loadSpecSchemas(kinds, null)
    registry = createRegistry({
      hrefBase: BASE_PATH,
      kinds,
      specSchemas,
      requiredAdapters: new Map(),
    })
  })
  afterAll(async () => {
    await feed[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
    await created[Symbol.asyncDispose]()
  })

  it('are searched for old reports at intervals, also if requests ask for different ages', async () => {
    const options = { database, feed, onError, onFilled: () => undefined, signal }
    const sync = new QueueSync(options, 'dns', registry.byName('Cluster'))
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1000)
    onTestFinished(() => clock.mockRestore())
    const wake = async (maxAgeSeconds: number | null, tenant: string | null) =>
      (await sync.wakeIfDue(sync.queueFor({ maxAgeSeconds, tenant }))).nextMs
    const all = () =>
      Promise.all([wake(300, null), wake(400, null), wake(300, TENANT), wake(null, null)])
    // An empty queue has no next time.
    expect(await all()).toEqual([null, null, null, null])
    expect(await all()).toEqual([500, 500, 500, 500])
    // Without an age, requests of all tenants share one search.
    expect(await wake(null, TENANT)).toBe(500)
    sync.expectWork()
    expect(await all()).toEqual([null, null, null, null])
  })

  it('refuse requests that want to wait during shutdown', async () => {
    const work = openWork()
    work[Symbol.dispose]()
    await expect(work.lease(wanted({ waitMs: 60_000 }))).rejects.toMatchObject({
      reason: 'unavailable',
    })
    expect(await work.lease(wanted({ waitMs: 0 }))).toEqual([])
  })

  it('let the requests of a tenant leave as many places free as they use', async () => {
    const [one, other] = [{ tenant: TENANT }, { tenant: '{"org":"two"}' }]
    const pool = await insertNodePool(TENANT)
    const work = openWork(4)
    const waits: Promise<readonly LeasedRow[]>[] = []
    const wait = async (fields: Partial<WorkRequest>) => {
      waits.push(work.lease(wanted(fields)))
      await expect.poll(() => work.waiting).toBe(waits.length)
    }
    const refused = (fields: Partial<WorkRequest>) =>
      expect(work.lease(wanted(fields))).rejects.toMatchObject({ reason: 'too-many-requests' })
    await wait(one)
    await wait(one)
    await refused(one)
    expect(await work.lease(wanted({ ...one, waitMs: 0 }))).toEqual([])
    // Due work needs no place.
    const due = await work.lease(wanted({ ...one, kinds: [kindOf('NodePool')] }))
    expect(due).toMatchObject([{ resource_id: pool }])
    // Callers of other tenants can wait, and callers of all tenants until every place is taken.
    await wait(other)
    await refused(other)
    await wait({ tenant: null })
    await refused({ tenant: null })
    work[Symbol.dispose]()
    expect(await Promise.all(waits)).toEqual([[], [], [], []])
  })

  const kindOf = (name: string) => {
    return { kind: registry.byName(name), declaredOnly: false, filter: null }
  }

  function openWork(maxWaiters = 1): AdapterWork {
    const searches = createSemaphore(1, 1000)
    const onSearchRejected = () => undefined
    const times = { timeoutMs: 60_000, maxWaiters }
    return new AdapterWork({ database, feed, searches, onSearchRejected, onError, ...times })
  }

  const wanted = (fields: Partial<WorkRequest>): WorkRequest => ({
    adapter: 'dns',
    kinds: [kindOf('Cluster')],
    tenant: null,
    search: null,
    max: 1,
    leaseSeconds: 60,
    maxAgeSeconds: null,
    waitMs: 600_000,
    signal,
    ...fields,
  })

  async function insertNodePool(tenant: string): Promise<string> {
    await database.query(
      'insert',
      sql`insert into resources (id, tenant, kind, name, owner_id, generation, version, spec, labels,
            conditions, cond, created_time, updated_time, created_by, updated_by)
          values ('pool', ${tenant}, 'NodePool', 'pool', 'cluster', 1, 1, '{}', '{}', '[]', '{}',
            now(), now(), '', '')`,
    )
    return 'pool'
  }
})

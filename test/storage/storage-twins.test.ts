import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReadResource, Resource } from '../../src/store/model/resource.ts'
import type { ResourceRead } from '../../src/store/resources/read-resources.ts'
import { reportTimesOf, type ReportTimesText } from '../../src/store/status-records/report-times.ts'
import type { Database } from '../../src/store/database/database.ts'
import { isSerializationFailure } from '../../src/store/database/translate-database-error.ts'
import { type HotStatements, pgStatements } from './hot-statements.ts'
import { prismaStatements } from '../search/prisma-statements.ts'
import { sampleResource, sampleStatus } from '../search/sample-rows.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, serverNames } from '../support/test-database.ts'

/** An implementation of the statements, with a separate database. */
interface Twin extends AsyncDisposable {
  readonly statements: HotStatements
  readonly database: Database
}

const CLUSTER = sampleResource(1)
const OTHER = sampleResource(2)
const POOL = sampleResource(3, { kind: 'NodePool', ownerId: CLUSTER.id })

async function openTwin(server: string, statements: HotStatements): Promise<Twin> {
  const copy = await createTestDatabase(server)
  const database = openTestDatabase(copy.url)
  return {
    statements,
    database,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]()
      await copy[Symbol.asyncDispose]()
    },
  }
}

/** Parsed JSON, because PostgreSQL and JavaScript write it with different blanks. */
function parsedResource(resource: ReadResource): Resource {
  return {
    ...resource,
    spec: JSON.parse(resource.spec),
    labels: JSON.parse(resource.labels),
    annotations: JSON.parse(resource.annotations),
  }
}

function withTimes<T extends { readonly reportTimes: ReportTimesText }>(seen: T) {
  return { ...seen, reportTimes: reportTimesOf(seen.reportTimes) }
}

/** Every row of both tables. */
async function rowsOf({ pool }: Database) {
  const resources = await pool.query('select * from resources order by id')
  const statuses = await pool.query('select * from adapter_statuses order by resource_id, adapter')
  return { resources: resources.rows, statuses: statuses.rows }
}

describe.each(serverNames())('on %s, pg and Prisma', (server) => {
  let twins: readonly [Twin, Twin]
  beforeAll(async () => {
    twins = await Promise.all([openTwin(server, pgStatements), openTwin(server, prismaStatements)])
  })
  afterAll(async () => {
    await Promise.all(twins.map((twin) => twin[Symbol.asyncDispose]()))
  })

  /** Runs the same steps with both implementations, whose results and rows must be equal. */
  async function both<T>(
    steps: (statements: HotStatements, database: Database) => Promise<T>,
  ): Promise<T> {
    const [pg, prisma] = twins
    const result = await steps(pg.statements, pg.database)
    expect(await steps(prisma.statements, prisma.database)).toEqual(result)
    expect(await rowsOf(prisma.database)).toEqual(await rowsOf(pg.database))
    return result
  }

  it('insert a resource only with a unique name and an existing parent', async () => {
    const outcomes = await both(async ({ insertResource }, database) => [
      await insertResource(database, CLUSTER, null),
      await insertResource(database, OTHER, null),
      await insertResource(database, { ...CLUSTER, id: 'another' }, null),
      await insertResource(database, POOL, 'Cluster'),
      await insertResource(database, { ...POOL, id: 'another' }, 'Cluster'),
      await insertResource(database, { ...POOL, id: 'pool-of-2', ownerId: OTHER.id }, 'Cluster'),
      await insertResource(database, { ...POOL, id: 'lost', ownerId: 'unknown' }, 'Cluster'),
      await insertResource(database, { ...POOL, id: 'lost', ownerId: POOL.id }, 'Cluster'),
    ])
    expect(outcomes).toEqual([
      'inserted',
      'inserted',
      'name-taken',
      'inserted',
      'name-taken',
      'inserted',
      'parent-missing',
      'parent-missing',
    ])
  })

  it('store a report if neither the resource nor the row has changed', async () => {
    const at = (version: bigint): Resource => ({ ...CLUSTER, version })
    const written = await both(async ({ storeReport }, database) => {
      const store = async (resource: Resource, rowVersion: number, second: number) => {
        const status = sampleStatus('dns', second)
        const { conditions } = sampleResource(second)
        try {
          const write = { resource, conditions, status, rowVersion, awaitsChildren: false }
          return await storeReport(database, write)
        } catch (error) {
          if (isSerializationFailure(error)) return 'collision'
          throw error
        }
      }
      return [
        await store(at(1n), 0, 10),
        await store(at(1n), 1, 11), // the resource has moved on
        await store(at(2n), 1, 12),
        await store(at(3n), 0, 13), // the row is there by now
        await store(at(3n), 1, 14), // the row has moved on
        await store(at(3n), 2, 15),
      ]
    })
    expect(written).toEqual([true, false, true, 'collision', 'collision', true])
  })

  it('store a report without Available and without metadata', async () => {
    const status = sampleStatus('bare', 20, { available: null, metadata: null, conditions: [] })
    const { conditions } = OTHER
    const write = { resource: OTHER, conditions, status, rowVersion: 0, awaitsChildren: false }
    expect(await both(({ storeReport }, database) => storeReport(database, write))).toBe(true)
  })

  it('store a report on a deleted resource that still has children', async () => {
    const outcomes = await both(async ({ storeReport }, database) => {
      const store = async (resource: Resource, rowVersion: number) => {
        const status = sampleStatus('bare', 25, { available: null, finalized: true })
        const { conditions } = resource
        const write = { resource, conditions, status, rowVersion, awaitsChildren: true }
        try {
          return await storeReport(database, write)
        } catch (error) {
          if (isSerializationFailure(error)) return 'collision'
          throw error
        }
      }
      return [await store({ ...OTHER, version: 2n }, 1), await store(POOL, 0)]
    })
    expect(outcomes).toEqual([true, 'collision'])
  })

  it('refresh a report if its row has not changed', async () => {
    const touched = await both(async ({ touchReport }, database) => {
      const status = sampleStatus('dns', 30)
      return [
        await touchReport(database, { resource: CLUSTER, status, rowVersion: 2 }),
        await touchReport(database, { resource: CLUSTER, status, rowVersion: 3 }),
        await touchReport(database, {
          resource: CLUSTER,
          status: sampleStatus('nobody', 30),
          rowVersion: 1,
        }),
        await touchReport(database, {
          resource: OTHER,
          status: sampleStatus('bare', 31, { available: null }),
          rowVersion: 2,
        }),
      ]
    })
    expect(touched).toEqual([false, true, false, true])
  })

  it('read resources with the times of their reports, and only the times for cached versions', async () => {
    const [one, many] = await both(async ({ readResources }, database) => {
      const unknown = (...ids: readonly string[]) => ids.map((id) => ({ id, cachedVersion: null }))
      const read = async (wanted: readonly ResourceRead[]) => {
        const seen = await readResources(database, wanted)
        return new Map(
          [...seen].map(([id, { resource, ...rest }]) => [
            id,
            { ...withTimes(rest), resource: resource && parsedResource(resource) },
          ]),
        )
      }
      return [
        await read(unknown(CLUSTER.id)),
        await read([
          ...unknown(POOL.id, 'unknown'),
          { id: CLUSTER.id, cachedVersion: 4n },
          { id: OTHER.id, cachedVersion: 99n },
        ]),
        await read(unknown('unknown')),
        await read([{ id: POOL.id, cachedVersion: 1n }]),
      ]
    })
    expect(one?.get(CLUSTER.id)).toMatchObject({ version: 4n, resource: { spec: CLUSTER.spec } })
    expect(one?.get(CLUSTER.id)?.reportTimes).toHaveLength(1)
    expect([...(many ?? new Map()).values()]).toHaveLength(3)
    expect(many?.get(CLUSTER.id)).toMatchObject({ version: 4n, resource: null })
    expect(many?.get(OTHER.id)?.resource?.id).toBe(OTHER.id)
  })

  it('read the inputs of a report', async () => {
    const bases = await both(async ({ readForReport }, database) => [
      await readForReport(database, { kind: 'Cluster', id: CLUSTER.id }, 'dns'),
      await readForReport(database, { kind: 'Cluster', id: CLUSTER.id }, 'new'),
      await readForReport(database, { kind: 'Cluster', id: OTHER.id }, 'bare'),
      await readForReport(database, { kind: 'NodePool', id: CLUSTER.id }, 'dns'),
    ])
    const read = bases.map((basis) =>
      basis?.states.map(({ adapter, rowVersion, conditions }) => {
        return [adapter, rowVersion, conditions.length]
      }),
    )
    expect(read).toEqual([[['dns', 4, 1]], [['dns', 4, 0]], [['bare', 3, 1]], undefined])
  })

  it('list pages of a kind and of a parent', async () => {
    const pages = await both(async ({ listResources, insertResource }, database) => {
      for (let index = 40; index < 52; index += 1) {
        await insertResource(database, sampleResource(index), null)
      }
      const list = async (kind: string, offset: number, ownerId: string | null = null) => {
        const page = await listResources(database, { kind, ownerId, limit: 5, offset })
        return page.map(withTimes)
      }
      return [
        await list('Cluster', 0),
        await list('Cluster', 10),
        await list('Cluster', 99),
        await list('NodePool', 0, CLUSTER.id),
        await list('Unknown', 0),
      ]
    })
    expect(pages.map((page) => page.length)).toEqual([5, 4, 0, 1, 0])
  })
})

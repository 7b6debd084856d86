import type { StatusRecord } from '../src/core/model/status-record.ts'
import type { Resource } from '../src/core/model/resource.ts'
import type { Database } from '../src/core/storage/database/database.ts'
import { type HotStatements, pgStatements } from '../test/storage/hot-statements.ts'
import { prismaStatements } from '../test/search/prisma-statements.ts'
import { sampleResource, sampleStatus } from '../test/search/sample-rows.ts'
import { startTemporaryDatabase } from './temporary-database.ts'

const CLUSTERS = 1000
const ADAPTERS = ['validator', 'dns', 'pullsecret', 'hypershift', 'monitoring']
const CALLS = 300
const ROUNDS = 5
/** About as much as a real cluster's spec: 1 KB. */
const PADDING = Array.from({ length: 20 }, (_, index) => ({
  name: `member-${index}`,
  size: index * 17,
}))

interface Cost {
  readonly wall: number
  readonly cpu: number
}

type Call = (statements: HotStatements, database: Database) => Promise<unknown>

/** A cluster with what the next optimistic write must know. */
interface Known {
  resource: Resource
  revision: number
}

let inserted = 0

function fill(index: number): Resource {
  return sampleResource(index, { spec: { index, padding: PADDING } })
}

async function prepare(database: Database): Promise<Known[]> {
  const known: Known[] = []
  for (inserted = 0; inserted < CLUSTERS; inserted += 1) {
    const resource = fill(inserted)
    await pgStatements.insertResource(database, resource, null)
    let version = 1n
    for (const adapter of ADAPTERS) {
      const status = sampleStatus(adapter, inserted)
      const { conditions } = resource
      const write = {
        resource: { ...resource, version },
        conditions,
        status,
        revision: 0,
        awaitsChildren: false,
      }
      await pgStatements.storeReport(database, write)
      version += 1n
    }
    known.push({ resource: { ...resource, version }, revision: 1 })
  }
  await database.pool.query('vacuum analyze')
  return known
}

function callsOver(known: Known[]): ReadonlyMap<string, Call> {
  const any = (): Known => known[Math.floor(Math.random() * known.length)] ?? fail()
  const report = (): StatusRecord => sampleStatus('dns', Math.floor(Math.random() * 1e6))
  return new Map<string, Call>([
    [
      'insert a cluster',
      ({ insertResource }, database) => insertResource(database, fill((inserted += 1)), null),
    ],
    [
      'get a cluster',
      ({ readResources }, database) =>
        readResources(database, [{ id: any().resource.id, known: null }]),
    ],
    [
      'list 20 clusters and count',
      ({ listResources }, database) =>
        listResources(database, { kind: 'Cluster', ownerId: null, limit: 20, offset: 100 }),
    ],
    [
      'read for a report',
      ({ readForReport }, database) =>
        readForReport(database, { kind: 'Cluster', id: any().resource.id }, 'dns'),
    ],
    [
      'store a report',
      async ({ storeReport }, database) => {
        const target = any()
        const { resource, revision } = target
        const write = {
          resource,
          conditions: resource.conditions,
          status: report(),
          revision,
          awaitsChildren: false,
        }
        if (!(await storeReport(database, write))) fail()
        target.resource = { ...resource, version: resource.version + 1n }
        target.revision += 1
      },
    ],
    [
      'touch a report',
      async ({ touchReport }, database) => {
        const target = any()
        if (!(await touchReport(database, target.resource.id, report(), target.revision))) fail()
        target.revision += 1
      },
    ],
  ])
}

function fail(): never {
  throw new Error('a statement did nothing: the measurement is void')
}

/** Microseconds of one call: of time, and of this process's CPU. */
async function measure(call: () => Promise<unknown>): Promise<Cost> {
  const start = performance.now()
  const cpu = process.cpuUsage()
  for (let count = 0; count < CALLS; count += 1) await call()
  const { user, system } = process.cpuUsage(cpu)
  return { wall: ((performance.now() - start) * 1000) / CALLS, cpu: (user + system) / CALLS }
}

/** The round with the least time: what disturbs a round only ever adds to it. */
function best(costs: readonly Cost[]): Cost {
  return {
    wall: Math.min(...costs.map(({ wall }) => wall)),
    cpu: Math.min(...costs.map(({ cpu }) => cpu)),
  }
}

/** Prints a table of what each hot statement costs through pg and through Prisma's client. */
async function main(): Promise<void> {
  await using temporary = await startTemporaryDatabase()
  const { database } = temporary
  const calls = callsOver(await prepare(database))
  console.log('| Statement | pg wall | Prisma wall | ratio | pg CPU | Prisma CPU | ratio |')
  console.log('|---|---:|---:|---:|---:|---:|---:|')
  for (const [name, call] of calls) {
    const costs: Record<'pg' | 'prisma', Cost[]> = { pg: [], prisma: [] }
    // The first round of each warms up; the two take turns, so that both see the same machine.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const pg = await measure(() => call(pgStatements, database))
      const prisma = await measure(() => call(prismaStatements, database))
      if (round > 0) {
        costs.pg.push(pg)
        costs.prisma.push(prisma)
      }
    }
    console.log(row(name, best(costs.pg), best(costs.prisma)))
  }
}

function row(name: string, pg: Cost, prisma: Cost): string {
  const pair = (a: number, b: number): string =>
    `${a.toFixed(0)} us | ${b.toFixed(0)} us | ${(b / a).toFixed(1)}`
  return `| ${name} | ${pair(pg.wall, prisma.wall)} | ${pair(pg.cpu, prisma.cpu)} |`
}

await main()

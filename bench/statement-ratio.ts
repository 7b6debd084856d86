import { fileURLToPath } from 'node:url'
import type { Database } from '../src/store/database/database.ts'
import { openDatabase } from '../src/store/database/open-database.ts'
import { migrate } from '../src/store/database/migrate.ts'
import { readInSnapshot } from '../src/store/replicas/read-in-snapshot.ts'
import { must } from '../src/lib/assert.ts'
import { startDebianPostgres } from '../test/storage/debian-postgres.ts'
import { prismaStatements } from '../test/search/prisma-statements.ts'
import { pgStatements } from '../test/storage/hot-statements.ts'
import { startPgbouncer } from '../test/storage/pgbouncer/pgbouncer.ts'
import { startStreamingReplica } from '../test/storage/replicas/streaming-replica.ts'
import { type Call, callsOn, storeClusters } from './data/hot-calls.ts'
import { cpuSeconds } from './measure/process-cpu.ts'

const CALLS = 150
const ROUNDS = 12
const READS: ReadonlySet<string> = new Set(['get a cluster', 'list 20 clusters and count'])

/** A way to the database. */
interface Way {
  readonly name: string
  readonly database: Database
  /** The processes whose CPU time counts, without this one. */
  readonly pids: readonly number[]
  readonly run: (call: Call) => Promise<unknown>
  readonly reads: 'all' | 'reads'
}

/** Microseconds per call. */
interface Cost {
  readonly wall: number
  readonly client: number
  readonly server: number
}

/**
 * Prints the cost of each hot statement with prepared statements, through Prisma's client, without
 * prepared statements, through PgBouncer, and in a snapshot of a replica, relative to the first.
 */
async function main(): Promise<void> {
  const primary = must(await startDebianPostgres(), "Debian's PostgreSQL 15")
  await migrate(primary.url, fileURLToPath(new URL('../prisma/migrations', import.meta.url)))
  await using pooler = await startPgbouncer({ databaseUrl: primary.url })
  await using direct = open(primary.url, true)
  await direct.pool.query("alter role flotilla set jit = 'off'")
  await using unprepared = open(primary.url, false)
  await using pooled = open(pooler.url, false)
  const calls = callsOn(await storeClusters(direct))
  await using replica = await startStreamingReplica(primary.url)
  await using standby = open(replica.url, true)
  const plain = (name: string, database: Database, ...more: readonly number[]): Way => ({
    name,
    database,
    pids: [primary.pid, ...more],
    run: (call) => call(pgStatements, database),
    reads: 'all',
  })
  const ways: readonly Way[] = [
    plain('prepared', direct),
    { ...plain('Prisma', direct), run: (call) => call(prismaStatements, direct) },
    plain('unprepared', unprepared),
    plain('PgBouncer', pooled, pooler.pid),
    {
      name: 'replica',
      database: standby,
      pids: [replica.pid()],
      run: (call) =>
        readInSnapshot(
          standby,
          () => true,
          async (snapshot) => ({ value: await call(pgStatements, snapshot) }),
        ),
      reads: 'reads',
    },
  ]
  console.log(
    '| Statement | way | wall us | ratio | client CPU us | ratio | PostgreSQL and PgBouncer CPU us | ratio |',
  )
  console.log('|---|---|---:|---:|---:|---:|---:|---:|')
  for (const [name, call] of calls) {
    const usable = ways.filter(({ reads }) => reads === 'all' || READS.has(name))
    const costs = await measureInTurn(usable, call)
    const [first] = costs
    for (const [index, way] of usable.entries()) {
      console.log(row(`${name} | ${way.name}`, must(costs[index], 'a cost'), must(first, 'a cost')))
    }
  }
  await primary.stop()
}

/** Alternates between the ways, so that noise affects all alike. The first round warms up. */
async function measureInTurn(ways: readonly Way[], call: Call): Promise<readonly Cost[]> {
  const all = ways.map((): Cost[] => [])
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, way] of ways.entries()) {
      const cost = await measure(way, call)
      if (round > 0) all[index]?.push(cost)
    }
  }
  return all.map(best)
}

async function measure({ pids, run }: Way, call: Call): Promise<Cost> {
  const cpuOf = (): number => pids.reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0), 0)
  const serverBefore = cpuOf()
  const cpu = process.cpuUsage()
  const start = performance.now()
  for (let count = 0; count < CALLS; count += 1) await run(call)
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  const server = cpuOf() - serverBefore
  return {
    wall: (wall * 1000) / CALLS,
    client: (user + system) / CALLS,
    server: (server * 1e6) / CALLS,
  }
}

/** The minimum over the rounds, because noise only adds time. */
function best(costs: readonly Cost[]): Cost {
  return {
    wall: Math.min(...costs.map(({ wall }) => wall)),
    client: Math.min(...costs.map(({ client }) => client)),
    server: Math.min(...costs.map(({ server }) => server)),
  }
}

function row(name: string, cost: Cost, base: Cost): string {
  const pair = (key: keyof Cost): string =>
    `${cost[key].toFixed(0)} | ${(cost[key] / base[key]).toFixed(2)}`
  return `| ${name} | ${pair('wall')} | ${pair('client')} | ${pair('server')} |`
}

function open(url: string, preparedStatements: boolean): Database {
  return openDatabase({
    url,
    preparedStatements,
    poolSize: 4,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
    observe: () => undefined,
    onIdleError: () => undefined,
  })
}

await main()

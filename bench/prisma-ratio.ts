import { pgStatements } from '../test/storage/hot-statements.ts'
import { prismaStatements } from '../test/search/prisma-statements.ts'
import { callsOn, storeClusters } from './data/hot-calls.ts'
import { startTemporaryDatabase } from './temporary-database.ts'

const CALLS = 300
const ROUNDS = 5

interface Cost {
  readonly wall: number
  readonly cpu: number
}

/** Microseconds of wall time and of CPU time of this process per call. */
async function measure(call: () => Promise<unknown>): Promise<Cost> {
  const start = performance.now()
  const cpu = process.cpuUsage()
  for (let count = 0; count < CALLS; count += 1) await call()
  const { user, system } = process.cpuUsage(cpu)
  return { wall: ((performance.now() - start) * 1000) / CALLS, cpu: (user + system) / CALLS }
}

/** The minimum over the rounds, because noise only adds time. */
function best(costs: readonly Cost[]): Cost {
  return {
    wall: Math.min(...costs.map(({ wall }) => wall)),
    cpu: Math.min(...costs.map(({ cpu }) => cpu)),
  }
}

/** Prints the cost of each hot statement through pg and through Prisma's client. */
async function main(): Promise<void> {
  await using temporary = await startTemporaryDatabase()
  const { database } = temporary
  const calls = callsOn(await storeClusters(database))
  console.log('| Statement | pg wall | Prisma wall | ratio | pg CPU | Prisma CPU | ratio |')
  console.log('|---|---:|---:|---:|---:|---:|---:|')
  for (const [name, call] of calls) {
    const costs: Record<'pg' | 'prisma', Cost[]> = { pg: [], prisma: [] }
    // Alternates between the two, so that noise affects both alike. The first round warms up.
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

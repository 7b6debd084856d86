import { errorMessage } from '../../src/lib/error-message.ts'
import { measureFlush } from '../measure/flush-time.ts'
import type { PostgresServer } from '../servers/postgres-server.ts'
import { startContenders } from '../servers/start-contenders.ts'
import { type Bench, standardDataset } from './bench.ts'
import { compete, loadEntry } from './compete.ts'
import { closeSides, openSides } from './sides.ts'
import { only } from './variant.ts'

const CONNECTIONS = [1, 64] as const
const SLOW_FLUSH_MS = 2
/** Above what is asked for: the median of a sleep is near it, not above it. */
const DELAY_MICROSECONDS = 2000

/** The names of the facts about the disk. */
export const FLUSH_FACT = 'time of a flush of the disk'
export const SLOWED_FLUSH_FACT = 'time of a flush while durable reports are measured'

const DURABLE = ['alter database :database set synchronous_commit = on']

/**
 * PostgreSQL waits before each flush: `commit_siblings = 0` makes it wait for a lone session too.
 * It holds the lock of the log meanwhile, as a slow disk would make it.
 */
const SLOWED = [
  `alter database :database set commit_delay = ${DELAY_MICROSECONDS}`,
  'alter database :database set commit_siblings = 0',
]

/** Heartbeats of one connection and of many, where each must wait for the disk. */
export async function measureDurable(bench: Bench): Promise<void> {
  const { postgres, results, sources, options } = bench
  if (postgres === null || sources.some(({ isOurs }) => !isOurs)) {
    const reason = 'the settings of a PostgreSQL that belongs to somebody else stay as they are'
    results.omissions.push({ scenario: 'durable', what: 'all', reason })
    return
  }
  const flush = await flushOfDisk(postgres)
  results.facts.push({ scenario: 'durable', name: FLUSH_FACT, value: flush, unit: 'ms' })
  const prepare = flush < SLOW_FLUSH_MS ? [...DURABLE, ...SLOWED] : DURABLE
  try {
    await using contenders = await startContenders(sources, {
      dataset: standardDataset(options),
      prepare,
    })
    const [first] = contenders.list
    const value = await measureFlush(first?.databaseUrl ?? '')
    results.facts.push({ scenario: 'durable', name: SLOWED_FLUSH_FACT, value, unit: 'ms' })
    const variant = { name: 'durable heartbeats', mix: only({ op: 'report-same' }) }
    const sides = await openSides(bench, variant, contenders.list)
    const entries = CONNECTIONS.flatMap((connections) =>
      sides.map((side) => loadEntry({ ...side, connections })),
    )
    await compete(bench, 'durable', entries, options.pace)
    closeSides(sides)
  } catch (error) {
    if (!/permission denied/.test(errorMessage(error))) throw error
    const reason = `commit_delay cannot be set: ${errorMessage(error)}`
    results.omissions.push({ scenario: 'durable', what: 'all', reason })
  }
}

async function flushOfDisk(postgres: PostgresServer): Promise<number> {
  const url = await postgres.create()
  try {
    return await measureFlush(url)
  } finally {
    await postgres.drop(url)
  }
}

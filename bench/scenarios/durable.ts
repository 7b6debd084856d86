import { errorMessage } from '../../src/lib/error-message.ts'
import { measureFlush } from '../measure/flush-time.ts'
import type { PostgresServer } from '../servers/postgres-server.ts'
import { startServers } from '../servers/start-servers.ts'
import { type Bench, standardDataset } from './bench.ts'
import { loadSubject, measureInRounds } from './measure-in-rounds.ts'
import { closeLoads, prepareLoads } from './prepare-loads.ts'
import { only } from './variant.ts'

const CONNECTIONS = [1, 64] as const
const MIN_FLUSH_MS = 2
/** PostgreSQL sleeps for about this long: the median of its sleeps is near it, not above it. */
const COMMIT_DELAY_MICROSECONDS = 2000

/** Names of facts. */
export const FLUSH_TIME = 'disk flush'
export const DURABLE_FLUSH_TIME = 'flush during durable reports'

const DURABLE = ['alter database :database set synchronous_commit = on']

/**
 * Makes PostgreSQL wait before each flush while it holds the WAL lock, as a slow disk would.
 * `commit_siblings = 0` extends the wait to a single session.
 */
const SLOW_FLUSH = [
  `alter database :database set commit_delay = ${COMMIT_DELAY_MICROSECONDS}`,
  'alter database :database set commit_siblings = 0',
]

/** Heartbeats over one connection and over 64, each committed with a flush of 2 ms or more. */
export async function measureDurable(bench: Bench): Promise<void> {
  const { postgres, results, sources, options } = bench
  const flush = await measureDiskFlush(postgres)
  results.facts.push({ scenario: 'durable', name: FLUSH_TIME, value: flush, unit: 'ms' })
  const prepare = flush < MIN_FLUSH_MS ? [...DURABLE, ...SLOW_FLUSH] : DURABLE
  try {
    await using servers = await startServers(sources, {
      dataset: standardDataset(options),
      prepare,
    })
    const [first] = servers.list
    const value = await measureFlush(first?.databaseUrl ?? '')
    results.facts.push({ scenario: 'durable', name: DURABLE_FLUSH_TIME, value, unit: 'ms' })
    const variant = { name: 'durable heartbeats', mix: only({ op: 'report-same' }) }
    const loads = await prepareLoads(bench, { variant, servers: servers.list })
    const subjects = CONNECTIONS.flatMap((connections) =>
      loads.map((load) => loadSubject({ ...load, connections })),
    )
    await measureInRounds(bench, { scenario: 'durable', subjects })
    closeLoads(loads)
  } catch (error) {
    if (!/permission denied/.test(errorMessage(error))) throw error
    const reason = `commit_delay cannot be set: ${errorMessage(error)}`
    results.omissions.push({ scenario: 'durable', what: 'all', reason })
  }
}

async function measureDiskFlush(postgres: PostgresServer): Promise<number> {
  const url = await postgres.create()
  try {
    return await measureFlush(url)
  } finally {
    await postgres.drop(url)
  }
}

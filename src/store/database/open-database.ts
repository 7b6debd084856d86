import { setTimeout as sleep } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '../../generated/prisma/client.ts'
import type { Database } from './database.ts'
import { inTransaction, onClient } from './in-transaction.ts'
import { type StatementObserver, statementObserver } from './observe-statement.ts'
import { openPool } from './open-pool.ts'
import { parametersOf } from './parameters-of.ts'
import { createPrimaryFence } from './connection/primary-fence.ts'
import { probeWrite } from './probe-write.ts'
import type { WriteProblem } from './translate-database-error.ts'
import { createWriteHealth } from './write-health.ts'

/** How long closing waits for running statements, whose requests have already ended. */
const CLOSE_TIMEOUT_MS = 1000

interface Options {
  readonly url: string
  /** `url` by default. */
  readonly directUrl?: string
  /** True by default. */
  readonly preparedStatements?: boolean
  /**
   * Whether statements may be prepared now. Otherwise a change of the types of columns would make
   * prepared statements fail.
   */
  readonly mayPrepare?: () => boolean
  /** The most connections. */
  readonly poolSize: number
  readonly statementTimeoutMs: number
  /** How long a statement waits for a free connection. */
  readonly connectTimeoutMs: number
  /** Whether acknowledged commits survive a failover. False by default. */
  readonly isSynchronous?: boolean
  /** Whether reads may use a standby beside the primary. False by default. */
  readonly acceptsStandbys?: boolean
  readonly observe: StatementObserver
  /** Called with the reason when writes begin to fail, and with null when they succeed again. */
  readonly onWriteProblem?: (problem: WriteProblem | null) => void
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleError: (error: Error) => void
}

/** Creates the pool; it connects with the first statement. */
export function openDatabase(options: Options): Database {
  const { url, directUrl = url, preparedStatements = true, statementTimeoutMs } = options
  const connection = { url, directUrl, preparedStatements, statementTimeoutMs }
  const queryOf = queriesOf(options)
  const fence = createPrimaryFence({
    acceptsStandbys: options.acceptsStandbys ?? false,
    connectionOf: (client) => onClient(database, client),
  })
  const pool = openPool(options, preparedStatements, fence)
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) })

  const writes = createWriteHealth({
    probe: () => probeWrite(database),
    onChange: (problem) => options.onWriteProblem?.(problem),
  })

  const observed = statementObserver({
    observe: options.observe,
    onFailure: (error) => writes.statementFailed(error),
  })

  const database: Database = {
    pool,
    connection,
    queryOf,
    prisma,
    isSynchronous: options.isSynchronous ?? false,
    onFailover: (listener) => fence.onFailover(listener),
    writes,
    observed,
    transaction: async (work) => {
      try {
        return await inTransaction(database, 'commit', work)
      } catch (error) {
        writes.statementFailed(error)
        throw error
      }
    },
    execute: (statement, values) =>
      observed(statement.name, async () => {
        const result = await pool.query(queryOf(statement, values))
        return result.rows
      }),
    query: (name, statement) =>
      observed(
        name,
        async () => (await pool.query(statement.text, parametersOf(statement.values))).rows,
      ),
    withPrisma: (name, work) => observed(name, () => work(prisma)),
    [Symbol.asyncDispose]: async () => {
      await writes[Symbol.asyncDispose]()
      await prisma.$disconnect()
      await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
  return database
}

function queriesOf({
  preparedStatements = true,
  mayPrepare = () => true,
}: Options): Database['queryOf'] {
  return ({ name, text }, values) =>
    preparedStatements && mayPrepare()
      ? { name, text, values: parametersOf(values) }
      : { text, values: parametersOf(values) }
}

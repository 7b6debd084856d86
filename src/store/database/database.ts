import { setTimeout as sleep } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { inTransaction, onClient } from './in-transaction.ts'
import { type ObserveStatement, statementObserver } from './observe-statement.ts'
import { openPool } from './open-pool.ts'
import { parametersOf } from './parameters-of.ts'
import { createPrimaryFence, type FailoverListener } from './primary-fence.ts'
import { type Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { probeWrite } from './probe-write.ts'
import type { WriteProblem } from './translate-database-error.ts'
import { createWriteHealth, type WriteHealth } from './write-health.ts'

/** A statement of the hot paths: prepared once per connection under its name. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
}

/**
 * Called after every statement: its name, its duration in seconds, whether it succeeded, and the
 * number of its rows, which is null if unknown.
 */
export type StatementObserver = (
  name: string,
  seconds: number,
  succeeded: boolean,
  rows: number | null,
) => void

/** How long closing waits for running statements, whose requests have already ended. */
const CLOSE_TIMEOUT_MS = 1000

/** How the connections to PostgreSQL are made. */
interface ConnectionSettings {
  readonly url: string
  /** The same database without a pooler, for connections that keep state in their session. */
  readonly directUrl: string
  /**
   * Whether statements are prepared under their names, and sessions receive their settings as
   * startup parameters. A pooler in transaction mode may support neither.
   */
  readonly preparedStatements: boolean
  readonly statementTimeoutMs: number
}

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

/** One pool of connections, shared by plain SQL and Prisma. */
export interface Database extends AsyncDisposable {
  readonly pool: pg.Pool
  readonly connection: ConnectionSettings
  /** The query of a prepared statement, for a client of the pool. */
  readonly queryOf: (statement: PreparedStatement, values: readonly unknown[]) => pg.QueryConfig
  readonly prisma: PrismaClient
  /** Whether acknowledged commits survive a failover. The logs of changes then keep their epochs. */
  readonly isSynchronous: boolean
  /**
   * Calls back with the first connection to another primary, before other statements run there. A
   * pooler can replace the server behind a connection without this call.
   */
  onFailover(listener: FailoverListener): void
  /** Whether writes succeed at the moment. */
  readonly writes: Pick<WriteHealth, 'problem'>
  /** Runs a named prepared statement, for reads and writes whose plan does not depend on values. */
  execute<Row extends object>(
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]>
  /** Runs a composed statement without preparing it, so that it is planned for its values. */
  query<Row extends object>(name: string, statement: Sql): Promise<Row[]>
  /**
   * Runs work in one transaction on one connection, if it must lock rows before it decides.
   * Prisma's statements are not part of the transaction.
   */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Runs a statement on another connection of the pool, observed under this name. */
  readonly observed: ObserveStatement
  /** Runs work with Prisma's client, observed under this name. */
  withPrisma<T>(name: string, work: (prisma: Prisma.TransactionClient) => Promise<T>): Promise<T>
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

import { setTimeout as sleep } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { inTransaction } from './in-transaction.ts'
import { type Prisma, PrismaClient } from '../../../generated/prisma/client.ts'
import { probeWrite } from './probe-write.ts'
import type { WriteProblem } from './translate-database-error.ts'
import { createWriteHealth, type WriteHealth } from './write-health.ts'

/** A statement of the hot paths: prepared once per connection under its name. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
}

/** Called after every statement: its name, its duration in seconds, and whether it succeeded. */
export type StatementObserver = (name: string, seconds: number, succeeded: boolean) => void

/** How long closing waits for running statements, whose requests have already ended. */
const CLOSE_TIMEOUT_MS = 1000

interface Options {
  readonly url: string
  /** The most connections. */
  readonly poolSize: number
  readonly statementTimeoutMs: number
  /** How long a statement waits for a free connection. */
  readonly connectTimeoutMs: number
  readonly observe: StatementObserver
  /** Called with the reason when writes begin to fail, and with null when they succeed again. */
  readonly onWriteProblem?: (problem: WriteProblem | null) => void
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleError: (error: Error) => void
}

/** One pool of connections, shared by plain SQL and Prisma. */
export interface Database extends AsyncDisposable {
  readonly pool: pg.Pool
  readonly prisma: PrismaClient
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
  /** Runs work with Prisma's client, observed under this name. */
  withPrisma<T>(name: string, work: (prisma: Prisma.TransactionClient) => Promise<T>): Promise<T>
}

/** Creates the pool; it connects with the first statement. */
export function openDatabase(options: Options): Database {
  const pool = openPool(options)
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) })

  const writes = createWriteHealth({
    probe: () => probeWrite(database),
    onChange: (problem) => options.onWriteProblem?.(problem),
  })

  async function observed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    let succeeded = false
    try {
      const result = await work()
      succeeded = true
      return result
    } catch (error) {
      writes.statementFailed(error)
      throw error
    } finally {
      options.observe(name, (performance.now() - start) / 1000, succeeded)
    }
  }

  const database: Database = {
    pool,
    prisma,
    writes,
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
        const result = await pool.query({ ...statement, values: [...values] })
        return result.rows
      }),
    query: (name, statement) =>
      observed(name, async () => (await pool.query(statement.text, statement.values)).rows),
    withPrisma: (name, work) => observed(name, () => work(prisma)),
    [Symbol.asyncDispose]: async () => {
      await writes[Symbol.asyncDispose]()
      await prisma.$disconnect()
      await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
  return database
}

function openPool(options: Options): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    // Longer than the server's timeout: it frees the request if the server no longer responds.
    query_timeout: options.statementTimeoutMs + 5_000,
    application_name: 'flotilla',
    // Functions that disable sequential scans look expensive to PostgreSQL before version 18. It would
    // compile their plans for 100 ms and more in each call.
    options: '-c timezone=UTC -c jit=off',
    types: { getTypeParser },
  })
  // Closing does not wait for idle connections, whose server may stop at the same time.
  pool.on('error', (error) => {
    if (!pool.ending) options.onIdleError(error)
  })
  return pool
}

/** Parses 64-bit integers as bigint, and other types as pg does. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt
  return pg.types.getTypeParser(oid, 'text')
}

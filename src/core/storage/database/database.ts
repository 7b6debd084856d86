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

/** How long closing waits for statements: the requests that they belonged to have been cut off. */
const CLOSE_TIMEOUT_MS = 1000

interface Options {
  readonly url: string
  /** Connections at most. */
  readonly poolSize: number
  readonly statementTimeoutMs: number
  /** How long a statement waits for a free connection. */
  readonly connectTimeoutMs: number
  readonly observe: StatementObserver
  /** Receives why writes fail now, and null when they succeed again. */
  readonly onWriteProblem?: (problem: WriteProblem | null) => void
  /** An idle connection broke: the pool replaces it. */
  readonly onIdleError: (error: Error) => void
}

/** PostgreSQL as the storage layer sees it: one pool, shared by plain SQL and by Prisma. */
export interface Database extends AsyncDisposable {
  readonly pool: pg.Pool
  readonly prisma: PrismaClient
  /** Whether writes succeed. */
  readonly writes: Pick<WriteHealth, 'problem'>
  /** Runs a named prepared statement: for point reads and writes, whose plan never varies. */
  execute<Row extends object>(
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]>
  /** Runs a composed statement unnamed, so that each gets a plan for its own values. */
  query<Row extends object>(name: string, statement: Sql): Promise<Row[]>
  /**
   * Runs work in one transaction on one connection: for what must lock before it decides. Prisma's
   * statements are not part of it.
   */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Runs work of Prisma's client under a name, observed as the other statements are. */
  withPrisma<T>(name: string, work: (prisma: Prisma.TransactionClient) => Promise<T>): Promise<T>
}

/** Opens the pool; no connection is made before the first statement. */
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
    // The server's timeout comes first; this one frees the request if the server has gone silent.
    query_timeout: options.statementTimeoutMs + 5_000,
    application_name: 'flotilla',
    options: '-c timezone=UTC',
    types: { getTypeParser },
  })
  // Closing does not wait for idle connections: a server that stops meanwhile ends them its own way.
  pool.on('error', (error) => {
    if (!pool.ending) options.onIdleError(error)
  })
  return pool
}

/** 64-bit integers come back as bigint; everything else as pg parses it. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt
  return pg.types.getTypeParser(oid, 'text')
}

import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import type { ObserveStatement } from './observe-statement.ts'
import type { WriteHealth } from './write-health.ts'

/** A statement of the hot paths: prepared once per connection under its name. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
}

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

/** Receives the first connection to another primary. No statement runs there before it resolves. */
export type FailoverListener = (connection: Database) => Promise<void>

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

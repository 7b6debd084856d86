import { must } from '../../lib/assert.ts'
import type { Database } from './database.ts'
import { inTransaction } from './in-transaction.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

/**
 * A database for dry runs: each statement runs with all checks and locks, and is rolled back before
 * its result is returned. An operation with one write statement thus runs completely.
 */
export function dryRunDatabase(database: Database): Database {
  return {
    ...database,
    execute: (statement, values) =>
      inTransaction(database, 'rollback', (rolledBack) => rolledBack.execute(statement, values)),
    query: (name, statement) =>
      inTransaction(database, 'rollback', (rolledBack) => rolledBack.query(name, statement)),
    withPrisma: (_name, work) => rolledBackPrisma(database.prisma, work),
    transaction: (work) => inTransaction(database, 'rollback', work),
  }
}

/** Thrown to roll back Prisma's transaction. */
class Rollback extends Error {}

async function rolledBackPrisma<T>(
  prisma: Database['prisma'],
  work: (prisma: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | null = null
  const keep = (value: T): void => {
    result = { value }
  }
  try {
    await prisma.$transaction(async (transaction) => {
      keep(await work(transaction))
      throw new Rollback()
    })
  } catch (error) {
    if (!(error instanceof Rollback)) throw error
  }
  return must<{ readonly value: T }>(result, 'the result of a dry run').value
}

import { must } from '../../../lib/assert.ts'
import type { Database } from './database.ts'
import { inTransaction } from './in-transaction.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'

/**
 * The database as a dry run sees it: every statement does its work, with all checks and locks, and
 * is undone before its result is returned. An operation whose write is one statement thus runs
 * whole and keeps nothing.
 */
export function dryRunDatabase(database: Database): Database {
  return {
    ...database,
    execute: (statement, values) =>
      inTransaction(database, 'rollback', (undone) => undone.execute(statement, values)),
    query: (name, statement) =>
      inTransaction(database, 'rollback', (undone) => undone.query(name, statement)),
    withPrisma: (_name, work) => undonePrisma(database.prisma, work),
    transaction: (work) => inTransaction(database, 'rollback', work),
  }
}

/** Ends Prisma's transaction without a commit. */
class Undo extends Error {}

async function undonePrisma<T>(
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
      throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  return must<{ readonly value: T }>(result, 'the result of a rehearsed statement').value
}

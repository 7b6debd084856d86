import type pg from 'pg'
import { must } from '../../lib/assert.ts'
import type { Database } from './database.ts'
import type { Prisma } from './prisma-client/client.ts'

/**
 * The database as a dry run sees it: every statement does its work, with all checks and locks, and
 * is undone before its result is returned. An operation whose write is one statement thus runs
 * whole and keeps nothing.
 */
export function rehearse(database: Database): Database {
  const { pool, prisma } = database
  return {
    ...database,
    execute: (statement, values) =>
      undone(pool, async (client) => {
        const result = await client.query({ ...statement, values: [...values] })
        return result.rows
      }),
    query: (_name, statement) =>
      undone(pool, async (client) => {
        const result = await client.query(statement.text, statement.values)
        return result.rows
      }),
    withPrisma: (_name, work) => undonePrisma(prisma, work),
  }
}

async function undone<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('begin')
    return await work(client)
  } finally {
    await client.query('rollback').catch(() => {
      broken = true
    })
    client.release(broken)
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

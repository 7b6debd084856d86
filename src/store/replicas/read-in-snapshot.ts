import type pg from 'pg'
import { FlotillaError } from '../../lib/errors.ts'
import type { Database } from '../database/database.ts'
import { onClient } from '../database/in-transaction.ts'
import { positionOf, type Position, type PositionRow, READ_POSITION } from './position.ts'

const BEGIN = `begin isolation level repeatable read read only;${READ_POSITION.text}`

/**
 * Runs work in one snapshot on one connection, even if the URL leads to several replicas. `accept`
 * decides on the position of the snapshot. Null if the position or the work rejects the snapshot.
 */
export async function readInSnapshot<T extends object>(
  database: Database,
  accept: (position: Position) => boolean,
  work: (snapshot: Database) => Promise<T | null>,
): Promise<{ readonly value: T; readonly position: Position } | null> {
  const client = await database.pool.connect()
  // The next statement fails without the reason. Without a listener, the process would end.
  let broken: Error | null = null
  const onError = (error: Error): void => {
    broken ??= error
  }
  client.on('error', onError)
  try {
    const position = await begin(client)
    const value = accept(position) ? await work(onClient(database, client)) : null
    end(client, onError)
    return value === null ? null : { value, position }
  } catch (error) {
    if (error instanceof FlotillaError) end(client, onError)
    else {
      // A stalled server would not answer the end of the transaction.
      client.off('error', onError)
      client.release(true)
    }
    throw broken ?? error
  }
}

async function begin(client: pg.PoolClient): Promise<Position> {
  const results: unknown = await client.query(BEGIN)
  const rows = Array.isArray(results) ? rowsOf(results[1]) : []
  return positionOf(rows[0])
}

function rowsOf(result: { readonly rows: readonly PositionRow[] }): readonly PositionRow[] {
  return result.rows
}

/** The caller does not wait for the end of the transaction, which only releases its snapshot. */
function end(client: pg.PoolClient, onError: (error: Error) => void): void {
  client
    .query('commit')
    .then(
      () => false,
      () => true,
    )
    .then((isBroken) => {
      client.off('error', onError)
      client.release(isBroken)
    })
    .catch(() => undefined)
}

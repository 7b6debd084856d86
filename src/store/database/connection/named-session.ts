import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Database } from '../database.ts'

/** A session of PostgreSQL that other processes can find by its name until it ends. */
export interface NamedSession {
  readonly name: string
  /** Aborted when this process notices the end of the session. */
  readonly ended: AbortSignal
}

const NAME_BYTES = 8

/** Names the session of a dedicated connection: it holds an advisory lock, which no pooler keeps. */
export async function nameSession(client: pg.Client): Promise<string> {
  const name = randomBytes(NAME_BYTES).toString('hex')
  await client.query('select pg_advisory_lock($1::bigint)', [lockKey(name)])
  return name
}

const TRY_LOCK = {
  name: 'has_session_ended',
  text: 'select pg_try_advisory_xact_lock_shared($1::bigint) as ended',
}

/** Whether the session with this name has ended, or belongs to another server of PostgreSQL. */
export async function hasSessionEnded(database: Database, name: string): Promise<boolean> {
  const rows = await database.execute<{ ended: boolean }>(TRY_LOCK, [lockKey(name)])
  return rows[0]?.ended === true
}

function lockKey(name: string): string {
  return BigInt.asIntN(64, BigInt(`0x${name}`)).toString()
}

import { errorMessage } from '../../../lib/error-message.ts'
import type { Database } from '../database.ts'
import { openClient } from './open-client.ts'
import { hasPreparedStatements, isTransactionPooler } from './pooling.ts'
import { UnusableDatabaseError } from '../unusable-database-error.ts'

/** Identifies a database of a cluster, on every server that replicates it. */
const DATABASE_IDENTITY = `
  select concat_ws('/', system_identifier, pg_database.oid) as identity
  from pg_control_system(), pg_database where datname = current_database()`

/**
 * Returns the problem of connections through a pooler, with its remedy; null without one. A pooler
 * in transaction mode would keep the lock of migrations and drop notifications.
 */
export async function checkDirectUrl({ pool, connection }: Database): Promise<string | null> {
  const { url, directUrl, preparedStatements } = connection
  try {
    if (await isTransactionPooler(directUrl)) {
      const name = directUrl === url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
      return `${name} is a pooler in transaction mode: set DATABASE_DIRECT_URL to the URL of PostgreSQL itself`
    }
    if (directUrl === url) return null
    const { rows } = await pool.query<Identity>(DATABASE_IDENTITY)
    if (rows[0]?.identity !== (await identityOf(directUrl))) {
      return 'DATABASE_DIRECT_URL: this is another database than that of DATABASE_URL'
    }
    if (preparedStatements && !(await hasPreparedStatements(url))) {
      return 'DATABASE_URL is a pooler that does not support prepared statements: set DATABASE_OPTIONS=prepared-statements=off'
    }
    return null
  } catch (error) {
    const message = `the database of DATABASE_DIRECT_URL cannot be used: ${errorMessage(error)}`
    throw new UnusableDatabaseError(message, { cause: error })
  }
}

interface Identity {
  readonly identity: string
}

async function identityOf(url: string): Promise<string | undefined> {
  await using client = await openClient(url)
  return (await client.query<Identity>(DATABASE_IDENTITY)).rows[0]?.identity
}

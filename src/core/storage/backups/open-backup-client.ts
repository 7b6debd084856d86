import pg from 'pg'
import { errorMessage } from '../../../lib/error-message.ts'
import { BackupError } from './backup-error.ts'

/** A connection without time limits, whose values are independent of the server's settings. */
export async function openBackupClient(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: 'flotilla backup',
    options: '-c timezone=UTC -c datestyle=ISO -c extra_float_digits=3 -c statement_timeout=0',
  })
  // Without a listener, a broken connection would end the process. The running statement fails.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw new BackupError(
      `the database does not accept the connection: ${errorMessage(error)}. Check DATABASE_URL`,
      { cause: error },
    )
  }
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

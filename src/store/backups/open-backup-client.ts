import type pg from 'pg'
import { errorMessage } from '../../lib/error-message.ts'
import { EXACT_TEXT, openClient } from '../database/connection/open-client.ts'
import { BackupError } from './backup-error.ts'

/** A connection for backups. Throws a BackupError if the database rejects it. */
export async function openBackupClient(url: string): Promise<pg.Client & AsyncDisposable> {
  try {
    return await openClient(url, { name: 'flotilla backup', options: EXACT_TEXT })
  } catch (error) {
    throw new BackupError(
      `the database does not accept the connection: ${errorMessage(error)}. Check DATABASE_URL`,
      { cause: error },
    )
  }
}

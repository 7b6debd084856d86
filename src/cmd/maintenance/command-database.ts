import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { openClient } from '../../store/database/connection/open-client.ts'
import { startEmbeddedPostgres } from '../../embedded-postgres/start.ts'
import { errorCode } from '../../lib/error-code.ts'
import { readIfPresent } from '../../lib/files/read-if-present.ts'
import { SettingError } from '../../lib/setting-error.ts'

/** A database that a command uses. Disposing stops the embedded server if the command started it. */
export interface CommandDatabase extends AsyncDisposable {
  readonly url: string
}

type Settings = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>

/**
 * The database of the settings, without a pooler. Without `DATABASE_URL`, that is the embedded
 * server: the one that a Flotilla server of this data directory runs, or one that the command starts.
 * With `exclusive`, the command creates the database if there is none, and fails if a server runs it.
 */
export async function openCommandDatabase(
  { databaseUrl, databaseDirectUrl, dataDir }: Settings,
  { log, use }: { readonly log: Logger; readonly use: 'existing' | 'exclusive' },
): Promise<CommandDatabase> {
  const configured = databaseDirectUrl ?? databaseUrl
  const url = configured ?? (use === 'existing' ? await runningUrl(dataDir) : null)
  if (url !== null) return { url, [Symbol.asyncDispose]: () => Promise.resolve() }
  if (use === 'existing' && !existsSync(path.join(dataDir, 'postgres'))) {
    throw new SettingError(
      `DATA_DIR (${dataDir}) contains no database: set DATABASE_URL, set DATA_DIR, or run flotilla start`,
    )
  }
  return await startEmbeddedPostgres({ dataDir, log })
}

/** The URL of the embedded server that runs on a data directory, or null. */
async function runningUrl(dataDir: string): Promise<string | null> {
  const text = await readIfPresent(path.join(dataDir, 'database-url'))
  if (text === null) return null
  const url = text.trim()
  try {
    await using _ = await openClient(url)
    return url
  } catch (error) {
    // After a power loss, the file names a server that has ended.
    if (['ENOENT', 'ECONNREFUSED'].includes(errorCode(error) ?? '')) return null
    return url
  }
}

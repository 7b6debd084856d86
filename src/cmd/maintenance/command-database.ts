import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/settings.ts'
import { startEmbeddedPostgres } from '../../embedded-postgres/start.ts'
import { SettingError } from '../../lib/setting-error.ts'

/** A database that a command uses. Disposing stops the embedded server if the command started it. */
export interface CommandDatabase extends AsyncDisposable {
  readonly url: string
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir'>

/**
 * The database of the settings. Without `DATABASE_URL`, that is the embedded server: the one that a
 * Flotilla server of this data directory runs, or one that the command starts. Only a restore creates
 * a database, and never uses one that a server runs.
 */
export async function openCommandDatabase(
  { databaseUrl, dataDir }: Settings,
  { log, use }: { readonly log: Logger; readonly use: 'read' | 'replace' },
): Promise<CommandDatabase> {
  const running = use === 'read' ? await runningUrl(dataDir) : null
  const url = databaseUrl ?? running
  if (url !== null) return { url, [Symbol.asyncDispose]: () => Promise.resolve() }
  if (use === 'read' && !existsSync(path.join(dataDir, 'postgres'))) {
    throw new SettingError(
      `DATA_DIR (${dataDir}) contains no database: set DATABASE_URL, set DATA_DIR, or run flotilla start`,
    )
  }
  return await startEmbeddedPostgres({ dataDir, log })
}

/** The URL of the embedded server that runs on a data directory, or null. */
async function runningUrl(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(path.join(dataDir, 'database-url'), 'utf8')).trim()
  } catch {
    return null
  }
}

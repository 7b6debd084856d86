import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/settings.ts'
import { startEmbeddedPostgres } from '../../embedded-postgres/start.ts'

/** A database that a command uses. Disposing stops the embedded server if the command started it. */
export interface CommandDatabase extends AsyncDisposable {
  readonly url: string
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir'>

/**
 * The database of the settings. Without `DATABASE_URL`, that is the embedded server: the one that a
 * Flotilla server of this data directory runs, or one that the command starts.
 */
export async function openCommandDatabase(
  { databaseUrl, dataDir }: Settings,
  { log, mayBeRunning }: { readonly log: Logger; readonly mayBeRunning: boolean },
): Promise<CommandDatabase> {
  const running = mayBeRunning ? await runningUrl(dataDir) : null
  const url = databaseUrl ?? running
  if (url !== null) return { url, [Symbol.asyncDispose]: () => Promise.resolve() }
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

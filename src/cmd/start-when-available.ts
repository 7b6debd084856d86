import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import { connectionRemedyOf } from '../store/database/connect.ts'
import {
  translateDatabaseError,
  writeProblemOf,
} from '../store/database/translate-database-error.ts'
import { FlotillaError } from '../lib/errors.ts'
import { errorMessage } from '../lib/error-message.ts'
import { SettingError } from '../lib/setting-error.ts'
import type { Overrides } from './overrides.ts'
import { type Flotilla, startFlotilla } from './start-flotilla.ts'

const PAUSE_MS = 500
/** As long as a start waits for a database that does not answer at all. */
const PATIENCE_MS = 30_000
const NEVER_ABORTED = new AbortController().signal

/**
 * Starts the server, and starts it again if the database breaks off meanwhile, as during a restart of
 * PostgreSQL. Rejects if the database is not available for the whole time of a start, or if anything
 * else fails.
 */
export async function startWhenAvailable(config: Config, overrides: Overrides): Promise<Flotilla> {
  const { log, signal = NEVER_ABORTED } = overrides
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await startFlotilla(config, overrides)
    } catch (error) {
      // An embedded PostgreSQL ends with the server that has started it.
      const isFinal = config.databaseUrl === null || performance.now() > end || signal.aborted
      if (isFinal || !isUnavailable(error)) throw error
      log.warn({ reason: errorMessage(error) }, 'the database broke off: the server starts again')
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }
}

function isUnavailable(error: unknown): boolean {
  // A setting, a standby or a full disk is not a restart: the operator has to act. A key file that is
  // missing has the same code as a socket of PostgreSQL.
  if (error instanceof SettingError || connectionRemedyOf(error) !== undefined) return false
  if (writeProblemOf(error) !== null) return false
  const translated = translateDatabaseError(error)
  return translated instanceof FlotillaError && translated.reason === 'unavailable'
}

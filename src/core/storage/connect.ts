import { setTimeout as sleep } from 'node:timers/promises'
import { FlotillaError } from '../../lib/errors.ts'
import type { Database } from './database.ts'
import { ping } from './ping.ts'
import { translateDatabaseError } from './translate-database-error.ts'

const PAUSE_MS = 500

/** Waits until the database answers; throws its error after `patienceMs`, and any other at once. */
export async function connect(
  database: Database,
  patienceMs: number,
  onWait: (error: unknown) => void,
): Promise<void> {
  const end = Date.now() + patienceMs
  for (;;) {
    try {
      await ping(database)
      return
    } catch (error) {
      const unavailable = translateDatabaseError(error) instanceof FlotillaError
      if (!unavailable || Date.now() > end) throw error
      onWait(error)
      await sleep(PAUSE_MS)
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { FlotillaError } from '../../lib/errors.ts'
import type { Database } from './database.ts'
import { ping } from './ping.ts'
import { translateDatabaseError } from './translate-database-error.ts'
import { UnusableDatabaseError } from './unusable-database-error.ts'

const PAUSE_MS = 500

interface Options {
  /** How long an unreachable database is waited for. */
  readonly patienceMs: number
  /** Ends the wait: its reason is thrown. */
  readonly signal: AbortSignal
  readonly onWait: (reason: string) => void
}

/** Waits until the database answers; throws after the patience, and on any other failure at once. */
export async function connect(database: Database, options: Options): Promise<void> {
  const { patienceMs, signal, onWait } = options
  const end = Date.now() + patienceMs
  for (;;) {
    signal.throwIfAborted()
    try {
      await ping(database)
      return
    } catch (error) {
      const unavailable = translateDatabaseError(error) instanceof FlotillaError
      const reason = reasonOf(error)
      if (!unavailable || Date.now() > end) {
        throw new UnusableDatabaseError(`the database cannot be used: ${reason}`, { cause: error })
      }
      onWait(reason)
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }
}

/** A host with several addresses fails with one error for each, and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { FlotillaError } from '../../../lib/errors.ts'
import type { Database } from './database.ts'
import { ping } from './ping.ts'
import { codesOf, translateDatabaseError } from './translate-database-error.ts'
import { UnusableDatabaseError } from './unusable-database-error.ts'

const PAUSE_MS = 500

/** SQLSTATEs of a server that answers and refuses: waiting does not help, this does. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': 'correct the user or the password in DATABASE_URL',
  '28000': 'correct the user in DATABASE_URL, or let it connect in the pg_hba.conf of the server',
  '3D000': 'create the database, or correct its name in DATABASE_URL',
}

interface Options {
  /** How long an unreachable database is waited for. */
  readonly timeoutMs: number
  /** Ends the wait: its reason is thrown. */
  readonly signal: AbortSignal
  readonly onWait: (reason: string) => void
}

/**
 * Waits until the database answers. Throws if it is still unreachable after the patience, and
 * immediately on any other failure.
 */
export async function connect(database: Database, options: Options): Promise<void> {
  const { timeoutMs, signal, onWait } = options
  const end = Date.now() + timeoutMs
  for (;;) {
    signal.throwIfAborted()
    try {
      await ping(database)
      return
    } catch (error) {
      const unavailable = translateDatabaseError(error) instanceof FlotillaError
      const reason = reasonOf(error)
      const remedy = codesOf(error)
        .map((code) => REMEDIES[code])
        .find((text) => text !== undefined)
      if (remedy !== undefined) {
        const message = `the database cannot be used: ${reason}: ${remedy}`
        throw new UnusableDatabaseError(message, { cause: error })
      }
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

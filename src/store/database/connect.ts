import { setTimeout as sleep } from 'node:timers/promises'
import { FlotillaError } from '../../lib/errors.ts'
import type { Database } from './database.ts'
import { ping } from './ping.ts'
import {
  codesOf,
  rejectsStartupParameter,
  translateDatabaseError,
} from './translate-database-error.ts'
import { UnusableDatabaseError } from './unusable-database-error.ts'

const PAUSE_MS = 500

/** Remedies by SQLSTATE, for connections that the server rejects: retrying would not help. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': 'correct the user or the password in DATABASE_URL',
  '28000': 'correct the user in DATABASE_URL, or let it connect in the pg_hba.conf of the server',
  '3D000': 'create the database, or correct its name in DATABASE_URL',
}

const POOLER_REMEDY =
  'set DATABASE_OPTIONS=prepared-statements=off for a pooler in transaction mode'

interface Options {
  /** How long to wait for an unreachable database. */
  readonly timeoutMs: number
  /** Ends the wait; rejects with its reason. */
  readonly signal: AbortSignal
  readonly onWait: (reason: string) => void
}

/**
 * Waits until the database responds. Rejects if it is still unreachable after the timeout, and
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
      const remedy = connectionRemedyOf(error)
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

/** The remedy for a connection that the server rejects; undefined for other failures. */
export function connectionRemedyOf(error: unknown): string | undefined {
  if (rejectsStartupParameter(error)) return POOLER_REMEDY
  return codesOf(error)
    .map((code) => REMEDIES[code])
    .find((text) => text !== undefined)
}

/** The error for a host with several addresses has no message, but one error for each address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

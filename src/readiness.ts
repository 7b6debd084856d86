import { setTimeout as sleep } from 'node:timers/promises'
import type { Feed } from './core/feed/feed.ts'
import type { Database } from './core/storage/database.ts'
import { ping } from './core/storage/ping.ts'

interface ReadinessAnswer {
  readonly ok: boolean
  readonly checks: Readonly<Record<string, string>>
}

/** Whether the server can take requests: after its start, before its stop, with its database. */
export interface Readiness {
  ready(): Promise<ReadinessAnswer>
  /** Start-up is done: migrations are applied and the API listens. */
  serve(database: Database, feed: Feed): void
  /** The server is shutting down. */
  stop(): void
}

const PATIENCE_MS = 2000
/** A change that nobody is told of for so long: who watches here sees an old state. */
const MOST_LAG_SECONDS = 60

/** Starts out as not ready. */
export function createReadiness(): Readiness {
  let phase: 'starting' | 'serving' | 'stopping' = 'starting'
  let serving: { readonly database: Database; readonly feed: Feed } | null = null
  return {
    ready: async () => {
      if (phase !== 'serving' || serving === null) return { ok: false, checks: { server: phase } }
      const answers = await databaseAnswers(serving.database)
      const keepsUp = serving.feed.lagSeconds() <= MOST_LAG_SECONDS
      return {
        ok: answers && keepsUp,
        checks: {
          server: phase,
          migrations: 'applied',
          database: answers ? 'ok' : 'unavailable',
          feed: keepsUp ? 'ok' : 'behind',
        },
      }
    },
    serve: (database, feed) => {
      serving = { database, feed }
      phase = 'serving'
    },
    stop: () => {
      phase = 'stopping'
    },
  }
}

function databaseAnswers(database: Database): Promise<boolean> {
  const answer = ping(database).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, sleep(PATIENCE_MS, false, { ref: false })])
}

import { setTimeout as sleep } from 'node:timers/promises'
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
  serve(database: Database): void
  /** The server is shutting down. */
  stop(): void
}

const PATIENCE_MS = 2000

/** Starts out as not ready. */
export function createReadiness(): Readiness {
  let phase: 'starting' | 'serving' | 'stopping' = 'starting'
  let database: Database | null = null
  return {
    ready: async () => {
      if (phase !== 'serving' || database === null) return { ok: false, checks: { server: phase } }
      const answers = await databaseAnswers(database)
      return {
        ok: answers,
        checks: { server: phase, migrations: 'applied', database: answers ? 'ok' : 'unavailable' },
      }
    },
    serve: (opened) => {
      database = opened
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

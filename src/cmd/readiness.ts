import { setTimeout as sleep } from 'node:timers/promises'
import type { Feed } from '../core/feed/feed.ts'
import type { Membership } from '../core/operations/servers/membership.ts'
import type { Database } from '../core/storage/database/database.ts'
import { ping } from '../core/storage/database/ping.ts'

interface ReadinessResult {
  readonly ok: boolean
  readonly checks: Readonly<Record<string, string>>
}

/** The parts that a running server depends on. */
interface Serving {
  readonly database: Database
  readonly feed: Feed
  readonly membership: Membership
  /** Whether to wait for older servers with another configuration. */
  readonly strict: boolean
}

/** Whether the server can serve requests: it has started, is not stopping, and has its database. */
export interface Readiness {
  ready(): Promise<ReadinessResult>
  /** Start-up is done: migrations are applied and the API listens. */
  serve(serving: Serving): void
  /** The server is shutting down. */
  stop(): void
}

const TIMEOUT_MS = 2000
/** Beyond this lag of the feed, watches on this server show stale state. */
const MAX_LAG_SECONDS = 60

/** Begins unready. */
export function createReadiness(): Readiness {
  let phase: 'starting' | 'serving' | 'stopping' = 'starting'
  let serving: Serving | null = null
  return {
    ready: async () => {
      if (phase !== 'serving' || serving === null) return { ok: false, checks: { server: phase } }
      const answers = await databaseAnswers(serving.database)
      const { problem } = serving.database.writes
      const keepsUp = serving.feed.lagSeconds() <= MAX_LAG_SECONDS
      const { membership, strict } = serving
      return {
        ok: answers && problem === null && keepsUp && (membership.isAdmitted() || !strict),
        checks: {
          server: phase,
          migrations: 'applied',
          database: answers ? 'ok' : 'unavailable',
          writes: problem ?? 'ok',
          feed: keepsUp ? 'ok' : 'behind',
          configuration: configurationCheck(membership, strict),
        },
      }
    },
    serve: (started) => {
      serving = started
      phase = 'serving'
    },
    stop: () => {
      phase = 'stopping'
    },
  }
}

function configurationCheck(membership: Membership, strict: boolean): string {
  const members = membership.differingMembers().join(', ')
  if (strict && !membership.isAdmitted()) {
    return members === ''
      ? 'waiting for a first comparison with the other servers'
      : `waiting for older servers to stop: they differ in ${members}`
  }
  return members === '' ? 'ok' : `other servers differ in ${members}`
}

function databaseAnswers(database: Database): Promise<boolean> {
  const answer = ping(database).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, sleep(TIMEOUT_MS, false, { ref: false })])
}

import { setTimeout as sleep } from 'node:timers/promises'
import { ping } from '../../store/database/ping.ts'
import type { Database } from '../../store/database/database.ts'
import type { HealthCheck } from '../../http/observability/health-probe.ts'
import type { PlaneStorage } from '../planes/plane-storage.ts'

const TIMEOUT_MS = 2000
/** Beyond this lag of the feed, watches on this server show stale state. */
const MAX_LAG_SECONDS = 60

interface Parts {
  readonly database: Database
  readonly feed: Pick<PlaneStorage['feed'], 'lagSeconds'>
}

/** The checks of `/livez` and `/readyz`. Without its database, a server lives but is not ready. */
export function healthChecks({ database, feed }: Parts): readonly HealthCheck[] {
  return [
    { name: 'ping', isVital: true, problem: () => null },
    { name: 'database', isVital: false, problem: () => databaseProblem(database) },
    lagCheck('feed', feed),
  ]
}

/** Fails while changes of objects arrive late. */
export function lagCheck(name: string, feed: Parts['feed']): HealthCheck {
  return {
    name,
    isVital: false,
    problem: () => (feed.lagSeconds() <= MAX_LAG_SECONDS ? null : 'changes arrive late'),
  }
}

function databaseProblem(database: Database): Promise<string | null> {
  const answer = ping(database).then(
    () => database.writes.problem,
    () => 'it is unavailable',
  )
  return Promise.race([answer, sleep(TIMEOUT_MS, 'it does not answer', { ref: false })])
}

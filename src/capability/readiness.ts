import { setTimeout as sleep } from 'node:timers/promises'
import type { Feed } from '../store/feed/feed.ts'
import type { HealthCheck } from '../http/observability/health-probe.ts'
import type { Membership } from '../store/operations/servers/membership.ts'
import type { Database } from '../store/database/database.ts'
import { ping } from '../store/database/ping.ts'

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
  /** The checks of the probes of all ports, in a list that grows while the server starts. */
  readonly checks: readonly HealthCheck[]
  /** Adds a check. It must have a problem while requests of its part would fail. */
  add(check: HealthCheck): void
  /** Start-up is done: migrations are applied and the API listens. */
  serve(serving: Serving): void
  /** The server is shutting down. */
  stop(): void
}

type Phase = 'starting' | 'serving' | 'stopping'

const TIMEOUT_MS = 2000
/** Beyond this lag of the feed, watches on this server show stale state. */
const MAX_LAG_SECONDS = 60

/** Begins unready. */
export function createReadiness(): Readiness {
  let phase: Phase = 'starting'
  let serving: Serving | null = null
  const added: HealthCheck[] = []
  const checks = checksOf(
    () => phase,
    () => serving,
  )
  return {
    checks,
    add: (check) => {
      checks.push(check)
      added.push(check)
    },
    ready: async () => {
      if (phase !== 'serving' || serving === null) return { ok: false, checks: { server: phase } }
      const further = await Promise.all(
        added.map(async ({ name, problem }) => [name, (await problem()) ?? 'ok'] as const),
      )
      const answers = await databaseAnswers(serving.database)
      const { problem } = serving.database.writes
      const keepsUp = serving.feed.lagSeconds() <= MAX_LAG_SECONDS
      const { membership, strict } = serving
      return {
        ok:
          answers &&
          problem === null &&
          keepsUp &&
          (membership.isAdmitted() || !strict) &&
          further.every(([, result]) => result === 'ok'),
        checks: {
          server: phase,
          migrations: 'applied',
          database: answers ? 'ok' : 'unavailable',
          writes: problem ?? 'ok',
          feed: keepsUp ? 'ok' : 'behind',
          configuration: configurationCheck(membership, strict),
          ...Object.fromEntries(further),
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

/** The checks of a server, for probes that name them. */
function checksOf(phaseOf: () => Phase, servingOf: () => Serving | null): HealthCheck[] {
  const check = (
    name: string,
    problemOf: (parts: Serving) => ReturnType<HealthCheck['problem']>,
  ) => ({
    name,
    isVital: false,
    problem: () => {
      const serving = servingOf()
      return serving === null ? 'the server is starting' : problemOf(serving)
    },
  })
  return [
    { name: 'ping', isVital: true, problem: () => null },
    check('server', () => (phaseOf() === 'serving' ? null : phaseOf())),
    check('database', async ({ database }) =>
      (await databaseAnswers(database)) ? null : 'unavailable',
    ),
    check('writes', ({ database }) => database.writes.problem),
    check('feed', ({ feed }) => (feed.lagSeconds() <= MAX_LAG_SECONDS ? null : 'behind')),
    check('configuration', ({ membership, strict }) =>
      membership.isAdmitted() || !strict ? null : configurationCheck(membership, strict),
    ),
  ]
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

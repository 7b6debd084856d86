import { pause } from '../../lib/async/pause.ts'
import type { Semaphore } from '../../lib/async/semaphore.ts'
import type { Database } from '../database/database.ts'
import { positionOf, type Position, type PositionRow, READ_POSITION } from './position.ts'
import { createPrimaryHistory, type PrimaryHistory } from './primary-history.ts'
import {
  type ReadOutcome,
  type Replica,
  type Requirement,
  type SnapshotRead,
  startReplica,
} from './replica.ts'

const INTERVAL_MS = 500
const PROBE_TIMEOUT_MS = 1000

export interface ReplicaEvents {
  readonly onRead: (replica: string, outcome: ReadOutcome) => void
  /** A replica can be used (null) or not. */
  readonly onChange: (replica: string, problem: string | null) => void
}

interface Options extends ReplicaEvents {
  readonly primary: Database
  /** By name. */
  readonly replicas: ReadonlyMap<string, Database>
  /** A replica that is further behind the primary is not used. */
  readonly maxLagSeconds: number
  /** Whether reads without a minimum version use replicas too. */
  readonly servesStale: boolean
  /** Limits the concurrent searches of all replicas. */
  readonly searches: Semaphore
  /** A replica that does not answer a probe for this long is taken out of use; by default 1000. */
  readonly probeTimeoutMs?: number
}

/** The state of a replica for metrics. */
export interface ReplicaState {
  readonly name: string
  readonly isUp: boolean
  /** Infinity before the first probe. */
  readonly lagSeconds: number
}

/** The replicas of the database. */
export interface Replicas extends AsyncDisposable {
  readonly servesStale: boolean
  readonly searches: Semaphore
  /**
   * Runs a read in a snapshot of a replica that meets the requirement. Null if no replica does, the
   * read failed there, or work returned null, because the snapshot is too old for it. The caller then
   * reads from the primary.
   */
  read<T extends object>(
    required: Requirement,
    work: (snapshot: Database) => Promise<T | null>,
  ): Promise<SnapshotRead<T> | null>
  states(): readonly ReplicaState[]
}

/** Starts to probe the primary and its replicas. */
export function startReplicas(options: Options): Replicas {
  const { primary, maxLagSeconds, servesStale, searches } = options
  const history = createPrimaryHistory(INTERVAL_MS)
  const stopped = new AbortController()
  const sampling = sampleUntil(stopped.signal, primary, history)
  const rejection = (position: Position): string | null => {
    if (position.origin !== history.origin) return 'it replicates another database or epoch'
    const lag = history.lagSeconds(position.lsn, performance.now())
    return lag <= maxLagSeconds ? null : `it is ${lag.toFixed(0)} s behind the primary`
  }
  const all = [...options.replicas].map(([name, database]) =>
    startReplica({
      name,
      database,
      intervalMs: INTERVAL_MS,
      timeoutMs: options.probeTimeoutMs ?? PROBE_TIMEOUT_MS,
      primaryKnown: history.begun,
      rejection,
      onRead: (outcome) => options.onRead(name, outcome),
      onChange: (problem) => options.onChange(name, problem),
    }),
  )
  let next = 0
  return {
    servesStale,
    searches,
    read: async (required, work) => {
      const usable = all.filter((replica) => replica.isUp && replica.mayHave(required))
      next += 1
      return usable[next % usable.length]?.read(required, work) ?? null
    },
    states: () => all.map((replica) => stateOf(replica, history)),
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await sampling
      await Promise.all(all.map((replica) => replica[Symbol.asyncDispose]()))
    },
  }
}

async function sampleUntil(
  signal: AbortSignal,
  primary: Database,
  history: PrimaryHistory,
): Promise<void> {
  while (!signal.aborted) {
    const time = performance.now()
    // Without an answer, the lag of the replicas grows. Readiness reports the outage.
    const rows = await primary.execute<PositionRow>(READ_POSITION, []).catch(() => [])
    if (rows.length > 0) history.add(positionOf(rows[0]), time)
    await pause(INTERVAL_MS, signal)
  }
}

function stateOf({ name, isUp, position }: Replica, history: PrimaryHistory): ReplicaState {
  const lagSeconds = position ? history.lagSeconds(position.lsn, performance.now()) : Infinity
  return { name, isUp, lagSeconds }
}

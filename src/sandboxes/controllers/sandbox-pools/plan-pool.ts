import type { ApiObject } from 'flotilla/planes'
import { createdAt, isReady, sandboxCondition } from './controlled-sandbox.ts'
import { TEMPLATE_HASH_LABEL } from './pool-resources.ts'
import type { WarmPool } from './warm-pool.ts'

/** How long a waiting sandbox may be unready before it is replaced. */
const READINESS_GRACE_MS = 5 * 60_000
/** Reasons for which a replacement would not be ready either. */
const NO_CAPACITY: ReadonlySet<unknown> = new Set([
  'NoRuntime',
  'RuntimeUnreachable',
  'Unisolated',
  'ImageNotFound',
  'ImageForbidden',
])

/** The changes that bring a pool to its size. */
export interface PoolPlan {
  /** Sandboxes to delete: outdated, stuck and surplus ones. */
  readonly remove: readonly ApiObject[]
  /** Number of sandboxes to create. */
  readonly create: number
  readonly replicas: number
  readonly readyReplicas: number
  /** When a sandbox that is not ready now counts as stuck; null if none can. */
  readonly checkAt: Date | null
}

interface Situation {
  readonly pool: Pick<WarmPool, 'replicas' | 'recreates'>
  /** Sandboxes that the pool controls. */
  readonly members: readonly ApiObject[]
  /** Null if the template does not exist: then nothing is created. */
  readonly templateHash: string | null
  readonly now: Date
}

/** Compares a pool with its sandboxes. Those that are being deleted count until they are gone. */
export function planPool({ pool, members, templateHash, now }: Situation): PoolPlan {
  const present = members.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const isOutdated = ({ metadata }: ApiObject): boolean =>
    pool.recreates &&
    templateHash !== null &&
    metadata.labels?.[TEMPLATE_HASH_LABEL] !== templateHash
  const isUnusable = (sandbox: ApiObject): boolean =>
    isOutdated(sandbox) || stuckAt(sandbox) <= now.getTime()
  const kept = present.filter((sandbox) => !isUnusable(sandbox))
  const surplus = leastUseful(kept).slice(0, Math.max(0, kept.length - pool.replicas))
  const waiting = kept.map(stuckAt).filter((time) => time < Infinity)
  return {
    remove: [...present.filter(isUnusable), ...surplus],
    create: templateHash === null ? 0 : Math.max(0, pool.replicas - members.length),
    replicas: kept.length - surplus.length,
    readyReplicas: kept.filter((each) => isReady(each) && !surplus.includes(each)).length,
    checkAt: waiting.length === 0 ? null : new Date(Math.min(...waiting)),
  }
}

/** When a sandbox counts as stuck, in milliseconds; Infinity if it is ready or needs capacity. */
function stuckAt(sandbox: ApiObject): number {
  const reason = sandboxCondition(sandbox, 'Ready')?.['reason']
  if (isReady(sandbox) || NO_CAPACITY.has(reason)) return Infinity
  return createdAt(sandbox) + READINESS_GRACE_MS
}

/** Unready sandboxes first, then the newest. */
function leastUseful(sandboxes: readonly ApiObject[]): readonly ApiObject[] {
  return sandboxes.toSorted(
    (one, other) =>
      Number(isReady(one)) - Number(isReady(other)) || createdAt(other) - createdAt(one),
  )
}

/** The retention of a sandbox's `snapshotPolicy`. */
export interface RetentionPolicy {
  readonly keepLast: number
  /** Null if snapshots do not expire. */
  readonly ttlSeconds: number | null
}

/** The fields of a snapshot that its retention depends on. */
export interface RetainedSnapshot {
  readonly name: string
  readonly isFailed: boolean
  readonly createdAt: Date
  /** The current suspension or a restore needs the snapshot. */
  readonly isNeeded: boolean
}

/** The snapshots to delete now, and the time of the next expiry. */
export interface RetentionPlan {
  readonly surplus: readonly string[]
  /** Milliseconds until a snapshot expires; null if none does. */
  readonly nextExpiryMs: number | null
}

/**
 * Decides which snapshots of a sandbox have served their purpose. Needed snapshots count for
 * `keepLast`, but stay regardless of their age. Failed ones are counted separately, so that they
 * never displace usable ones.
 */
export function decideRetention(
  snapshots: readonly RetainedSnapshot[],
  { keepLast, ttlSeconds }: RetentionPolicy,
  now: Date,
): RetentionPlan {
  const surplus = [...beyond(snapshots, false, keepLast), ...beyond(snapshots, true, keepLast)]
  const rest = snapshots.filter((each) => !each.isNeeded && !surplus.includes(each))
  const expiries = ttlSeconds === null ? [] : rest.map((each) => expiryMs(each, ttlSeconds, now))
  const expired = rest.filter((_, index) => (expiries[index] ?? 1) <= 0)
  const later = expiries.filter((ms) => ms > 0)
  return {
    surplus: [...surplus, ...expired].map(({ name }) => name),
    nextExpiryMs: later.length === 0 ? null : Math.min(...later),
  }
}

/** The snapshots beyond the newest `keepLast`. */
function beyond(
  snapshots: readonly RetainedSnapshot[],
  isFailed: boolean,
  keepLast: number,
): readonly RetainedSnapshot[] {
  return snapshots
    .filter((each) => each.isFailed === isFailed)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .slice(keepLast)
    .filter(({ isNeeded }) => !isNeeded)
}

function expiryMs({ createdAt }: RetainedSnapshot, ttlSeconds: number, now: Date): number {
  return createdAt.getTime() + ttlSeconds * 1000 - now.getTime()
}

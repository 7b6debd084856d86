import type { JsonValue } from '../../lib/json/json.ts'
import type { ObservedFleet, TtlStart } from './observed-fleet.ts'

type Aging = Pick<ObservedFleet, 'object' | 'ttl' | 'status' | 'isDeleting' | 'isPaused'>

/** Milliseconds until a fleet expires, at most 0 if it has expired. Null if it does not expire. */
export function decideExpiry(
  { object, ttl, status, isDeleting, isPaused }: Aging,
  now: Date,
): number | null {
  if (ttl === null || isDeleting || isPaused) return null
  const starts: Readonly<Record<TtlStart, JsonValue | undefined>> = {
    Created: object.metadata.creationTimestamp,
    Ready: status['readyTime'],
    Claimed: status['firstClaimTime'],
  }
  const start = starts[ttl.from]
  if (typeof start !== 'string') return null
  return Date.parse(start) + ttl.seconds * 1000 - now.getTime()
}

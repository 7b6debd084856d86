import { BoundedMap } from './bounded-map.ts'

/** A token bucket: it holds `burst` tokens and gains `perSecond` tokens each second. */
export interface RateLimit {
  readonly perSecond: number
  /** At least 1. */
  readonly burst: number
}

/** Limits how often each key takes a token. */
export interface RateLimiter {
  /** Takes a token. Returns 0, or the milliseconds until the next token if there is none. */
  take(key: string, limit: RateLimit): number
}

interface Options {
  /** Keys beyond this number are forgotten, the least recently used first. */
  readonly maxKeys: number
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

/**
 * Stores one number per key: the time at which its bucket is full again (the generic cell rate
 * algorithm). The limit is passed with each call, so that it can change while the server runs.
 */
export function createRateLimiter({
  maxKeys,
  now = () => performance.now(),
}: Options): RateLimiter {
  const fullAt = new BoundedMap<number>(maxKeys)
  return {
    take: (key, { perSecond, burst }) => {
      const interval = 1000 / perSecond
      const time = now()
      // Never more than an empty bucket, so that a raised limit takes effect immediately.
      const full = Math.min(Math.max(fullAt.get(key) ?? 0, time), time + burst * interval)
      const wait = full - (burst - 1) * interval - time
      fullAt.set(key, wait > 0 ? full : full + interval)
      return Math.max(wait, 0)
    },
  }
}

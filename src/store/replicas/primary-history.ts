import type { Position } from './position.ts'

/** Samples beyond this number are dropped, oldest first: an hour at two per second. */
const MAX_SAMPLES = 7200

/** Positions of the primary over time, which show how old the state of a replica is. */
export interface PrimaryHistory {
  /** Adds a position that was read at `time` in milliseconds. */
  add(position: Position, time: number): void
  /** Resolves with the first sample. */
  readonly begun: Promise<void>
  /** The epochs and origins of the primary's logs; null before the first sample. */
  readonly origin: string | null
  /**
   * The seconds by which a replica at this position is behind the primary. While the primary does not
   * respond, this is the time since its last response.
   */
  lagSeconds(lsn: bigint, time: number): number
}

interface Sample {
  readonly lsn: bigint
  readonly time: number
}

/** `intervalMs` is the time between two samples. */
export function createPrimaryHistory(intervalMs: number): PrimaryHistory {
  let samples: Sample[] = []
  let origin: string | null = null
  let begin: () => void
  const begun = new Promise<void>((resolve) => (begin = resolve))
  return {
    begun,
    get origin() {
      return origin
    },
    add: (position, time) => {
      const last = samples.at(-1)
      // Another primary has another write-ahead log.
      const isOther = origin !== position.origin || (last !== undefined && last.lsn > position.lsn)
      if (isOther) samples = []
      origin = position.origin
      samples.push({ lsn: position.lsn, time })
      begin()
      if (samples.length > MAX_SAMPLES) samples = samples.slice(MAX_SAMPLES / 2)
    },
    lagSeconds: (lsn, time) => {
      const last = samples.at(-1)
      if (last === undefined) return Infinity
      if (lsn >= last.lsn) {
        // Two missed samples mean that the primary does not respond.
        const silence = time - last.time
        return silence < 3 * intervalMs ? 0 : silence / 1000
      }
      // The replica has everything that the primary had at the newest of these samples.
      const reached = samples.findLast((sample) => sample.lsn <= lsn)
      return (time - (reached ?? samples[0] ?? last).time) / 1000
    },
  }
}

/** The weight of the last page in the average. */
const WEIGHT = 0.1
/** Below this share of cached items, one statement for whole rows costs less than two. */
const LOW = 0.5

/** Which share of the items of recent pages the cache had; a moving average. */
export interface HitRate {
  note(hits: number, items: number): void
  isLow(): boolean
}

/** Begins with the assumption that everything is cached. */
export function createHitRate(): HitRate {
  let rate = 1
  return {
    note: (hits, items) => {
      if (items > 0) rate += WEIGHT * (hits / items - rate)
    },
    isLow: () => rate < LOW,
  }
}

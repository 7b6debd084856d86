const BASE_MS = 1000
const MAX_MS = 300_000
const RESTART_BASE_MS = 10_000
/** A workload that ran this long starts again without a delay. */
const RESET_AFTER_MS = 600_000

/** The pause after a failed attempt: doubles up to five minutes. */
export function retryDelay(attempt: number): number {
  return Math.min(MAX_MS, BASE_MS * 2 ** Math.min(attempt - 1, 20))
}

interface Ended {
  /** Restarts in a row before this end. */
  readonly restarts: number
  readonly ranMs: number
}

/** The pause before a restart, as kubelet chooses it: none at first, then 10 s, doubling. */
export function restartDelay({ restarts, ranMs }: Ended): number {
  if (restarts === 0 || ranMs >= RESET_AFTER_MS) return 0
  return Math.min(MAX_MS, RESTART_BASE_MS * 2 ** Math.min(restarts - 1, 20))
}

import { createPacer } from './pacer.ts'

/** The most fleets whose runs are paced. */
export const MAX_FLEETS = 50_000
const COALESCE_MS = 250
/** A look for released members reads the rows of all members. */
const COALESCE_RESETS_MS = 25
/** Limits the time that a large fleet whose members change all the time takes from others. */
const PAUSE_PER_RUN = 4
const MAX_PAUSE_MS = 1000

/** The reconciliations of fleets and the resets between them, which never run at the same time. */
export interface FleetRuns {
  /** Milliseconds until the next reconciliation for a change. */
  delayOf(key: string): number
  /** The same until the next look for released members. */
  resetDelayOf(key: string): number
  /** Runs after a reset has ended. Calls `resetLater` at its end if it has kept a reset from running. */
  reconcile(
    key: string,
    run: () => Promise<number | null>,
    resetLater: () => void,
  ): Promise<number | null>
  /** Does nothing during a reconciliation. */
  reset(key: string, run: () => Promise<void>): Promise<void>
}

/** Runs of one key and one kind must not overlap. */
export function createFleetRuns(now: () => number): FleetRuns {
  const limits = { pausePerRun: PAUSE_PER_RUN, maxMs: MAX_PAUSE_MS, maxSize: MAX_FLEETS, now }
  const pacer = createPacer({ ...limits, intervalMs: COALESCE_MS })
  const resetPacer = createPacer({ ...limits, intervalMs: COALESCE_RESETS_MS })
  /** Whether each running reconciliation has kept a reset from running. */
  const reconciling = new Map<string, boolean>()
  const resets = new Map<string, Promise<void>>()
  return {
    delayOf: pacer.delayOf,
    resetDelayOf: resetPacer.delayOf,
    reconcile: async (key, run, resetLater) => {
      reconciling.set(key, false)
      try {
        // Its error belongs to its caller.
        await resets.get(key)?.catch(() => undefined)
        pacer.begin(key)
        return await run()
      } finally {
        pacer.end(key)
        const isResetDue = reconciling.get(key)
        reconciling.delete(key)
        if (isResetDue) resetLater()
      }
    },
    reset: async (key, run) => {
      if (reconciling.has(key)) {
        reconciling.set(key, true)
        return
      }
      resetPacer.begin(key)
      const reset = run()
      resets.set(key, reset)
      try {
        await reset
      } finally {
        resets.delete(key)
        resetPacer.end(key)
      }
    },
  }
}

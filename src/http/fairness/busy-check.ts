import { performance } from 'node:perf_hooks'

const BUSY = 0.9

/** Returns a check of whether the main thread was busy since the check before. */
export function createBusyCheck(): () => boolean {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization > BUSY
  }
}

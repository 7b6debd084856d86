import type { Report, SentReport } from '../model/report.ts'

/**
 * Fills in what an adapter may leave out: the resource's generation, which must be the one that the
 * write names, and the server's clock.
 */
export function completeReport(report: SentReport, generation: number, now: Date): Report {
  const { observedGeneration, observedTime } = report
  if (observedGeneration !== null && observedTime !== null) {
    return { ...report, observedGeneration, observedTime }
  }
  return {
    ...report,
    observedGeneration: observedGeneration ?? generation,
    observedTime: observedTime ?? now.toISOString(),
  }
}

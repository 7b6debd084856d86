import type { Report, SentReport } from '../model/report.ts'

/**
 * Fills in what an adapter may leave out: the resource's generation, which must be the one that the
 * write names, and the server's clock.
 */
export function completeReport(report: SentReport, generation: number, now: Date): Report {
  if (isComplete(report)) return report
  return {
    ...report,
    observedGeneration: report.observedGeneration ?? generation,
    observedTime: report.observedTime ?? now.toISOString(),
  }
}

function isComplete(report: SentReport): report is Report {
  return report.observedGeneration !== null && report.observedTime !== null
}

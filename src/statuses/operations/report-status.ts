import type { ReportRequest } from './decide-report.ts'
import type { Target } from '../../core/operations/read/read-resource.ts'
import { reportAlone } from './report-alone.ts'
import type { ReportOutcome } from './report-outcome.ts'
import type { StatusContext } from './status-context.ts'

/**
 * Takes an adapter's report: reads the resource and its reports, decides, and writes where
 * nothing has changed meanwhile; otherwise once more. No report is lost to another one. Reports
 * that come at the same time are read and written together; where another write of the resource
 * is under way in this process, the report stands in line behind it. Expressions need more than
 * batches read, so that a report on a kind with mapped conditions is taken alone.
 */
export function reportStatus(
  context: StatusContext,
  target: Target,
  request: ReportRequest,
): Promise<ReportOutcome> {
  const { reportBatches, writes } = context
  const isMapped = target.kind.mapping !== undefined
  if (reportBatches === null || isMapped || writes.isBusy(target.id)) {
    return reportAlone(context, target, request)
  }
  return reportBatches.report(context, { target, request })
}

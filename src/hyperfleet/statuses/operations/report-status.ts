import type { Target } from '../../../store/operations/read/read-resource.ts'
import type { ReportRequest } from './decide-report.ts'
import type { ReportOutcome } from './report-outcome.ts'
import type { StatusContext } from './status-context.ts'
import { writeSingleReport } from './write-single-report.ts'

/**
 * Takes an adapter's report. It goes one of three ways, and no way loses a concurrent report:
 *
 * 1. **Refresh** (`refresh-unchanged.ts`). Reports that arrive together form a batch. Those that
 *    repeat their stored report on a synced resource are refreshed by one statement without a read,
 *    unless they complete a lease.
 * 2. **Batch** (`plan-batch.ts`). The others are read by one statement, decided in memory, each on
 *    the result of those before it, and written by one statement, which compares the versions that
 *    were read. A resource is synced once a heartbeat has left its recomputed conditions unchanged.
 * 3. **Single** (`write-single-report.ts`). A report is read, decided and written by itself, and
 *    again if it lost a race, if
 *    - it is the only one in its batch after the refresh: the plain statements are cheaper;
 *    - it lost a race in its batch, or the batch failed;
 *    - its resource is being deleted: the last report removes it;
 *    - its kind has mapped conditions: expressions need more than a batch reads;
 *    - another write of the resource is under way in this process: the report queues behind it;
 *    - it has a lease and is discarded, or the batch has another report of its adapter;
 *    - it is a dry run.
 */
export function reportStatus(
  context: StatusContext,
  target: Target,
  request: ReportRequest,
): Promise<ReportOutcome> {
  const { reportBatches, writes } = context
  const isMapped = target.kind.mapping !== undefined
  if (reportBatches === null || isMapped || writes.isBusy(target.id)) {
    return writeSingleReport(context, { target, request })
  }
  return reportBatches.report(context, { target, request })
}

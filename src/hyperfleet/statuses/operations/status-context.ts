import type { Context } from '../../../store/operations/context.ts'
import { dryRunContext } from '../../../store/operations/write/dry-run-context.ts'
import type { ReportBatches } from './report-batches.ts'

/** The context of core's operations, and what reports need besides it. */
export interface StatusContext extends Context {
  /** Null writes each report by itself. */
  readonly reportBatches: ReportBatches | null
}

/** The context of a dry run: operations run completely, and their writes are rolled back. */
export function statusDryRunContext(context: StatusContext): StatusContext {
  return { ...dryRunContext(context), reportBatches: null }
}

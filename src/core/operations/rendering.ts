import type { ReadResource } from '../model/resource.ts'
import type { ReportTimesText } from '../storage/status-records/report-times.ts'

/** One version of a resource as callers get it: reads of it differ in the times of reports alone. */
export interface Rendering {
  /** Its memory. */
  readonly bytes: number
  /** JSON in UTF-8 with these report times; may be on its way to several callers, so never written to. */
  at(reportTimes: ReportTimesText): Buffer
}

/** Renders a version of a resource with the times of its reports. */
export type Render = (resource: ReadResource, reportTimes: ReportTimesText) => Rendering

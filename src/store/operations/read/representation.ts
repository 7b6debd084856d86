import type { ReadResource } from '../../model/resource.ts'
import type { ReportTimesText } from '../../status-records/report-times.ts'

/** A wire form of resources, supplied by an API. Each resource can be cached in several of them. */
export interface Representation {
  /** Identifies the representation in the read cache. */
  readonly name: string
  /** Serializes one version of a resource. `reportTimes` are those read with it. */
  serialize(resource: ReadResource, reportTimes: ReportTimesText): SerializedResource
}

/** One version of a resource in one representation. Reads of a version differ only in report times. */
export interface SerializedResource {
  /** Bytes of memory that the body takes. */
  readonly bytes: number
  /** The body with these report times, in UTF-8. Responses share the buffer: do not write to it. */
  at(reportTimes: ReportTimesText): Buffer
}

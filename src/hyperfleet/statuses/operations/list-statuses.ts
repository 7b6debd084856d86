import { compareText } from '../../../lib/text/compare-text.ts'
import { notFound } from '../../../lib/errors.ts'
import type { StatusRecord } from '../../../store/model/status-record.ts'
import { bind } from '../../../store/search/bind/bind.ts'
import { evaluate } from '../../../store/search/memory/evaluate.ts'
import { STATUS_FIELDS } from '../../../store/search/bind/fields.ts'
import { listStatusRecords } from '../../../store/resources/list-status-records.ts'
import type { Context } from '../../../store/operations/context.ts'
import { parseSearch } from '../../../store/operations/list/parse-search.ts'
import type { Page } from '../../../store/operations/list/read-page.ts'
import { keyOf, type Target } from '../../../store/operations/read/read-resource.ts'
import { statusRow } from '../../../store/search/memory/status-row.ts'

export type StatusColumn = 'adapter' | 'observed_generation' | 'created_time' | 'last_report_time'

export interface StatusListing {
  /** TSL texts that a report must all match. */
  readonly search: readonly string[]
  /** At least one term; the last one is `adapter`, so that pages never overlap. */
  readonly orderBy: readonly { readonly column: StatusColumn; readonly direction: 'asc' | 'desc' }[]
  readonly page: number
  readonly pageSize: number
}

/** One page of a resource's reports. They are at most 100, so they are filtered in memory. */
export async function listStatusPage(
  context: Context,
  target: Target,
  listing: StatusListing,
): Promise<Page<StatusRecord>> {
  const expression = parseSearch(listing.search)
  const filter = expression && bind(expression, STATUS_FIELDS)
  const records = await listStatusRecords(context.database, keyOf(target))
  if (!records) throw notFound(target.kind.kind, target.id)
  const all = records.map(({ status }) => status)
  const matching =
    filter === null ? all : all.filter((status) => evaluate(filter, statusRow(status)))
  const sorted = matching.toSorted((a, b) => compare(a, b, listing.orderBy))
  const start = (listing.page - 1) * listing.pageSize
  return {
    total: sorted.length,
    isEstimate: false,
    items: sorted.slice(start, start + listing.pageSize),
  }
}

function compare(a: StatusRecord, b: StatusRecord, orderBy: StatusListing['orderBy']): number {
  for (const { column, direction } of orderBy) {
    const order = COMPARE[column](a, b)
    if (order !== 0) return direction === 'asc' ? order : -order
  }
  return 0
}

const COMPARE: Record<StatusColumn, (a: StatusRecord, b: StatusRecord) => number> = {
  adapter: (a, b) => compareText(a.adapter, b.adapter),
  observed_generation: (a, b) => a.observedGeneration - b.observedGeneration,
  created_time: (a, b) => a.createdTime.valueOf() - b.createdTime.valueOf(),
  last_report_time: (a, b) => a.lastReportTime.valueOf() - b.lastReportTime.valueOf(),
}

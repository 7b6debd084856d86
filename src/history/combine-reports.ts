import { sixDigits } from '../lib/precise-date.ts'
import type { LoggedChange } from '../store/changes/logged-change.ts'
import { type HistoryEntry, historyEntry } from './history-entry.ts'

/**
 * The entries of rows, newest first. A report that changes conditions is two rows of the log, one of
 * the report and one of the resource: they become one entry if they are next to each other and have
 * the time of the same report. `typeOfAdapter` names the condition that exposes an adapter.
 */
export function combineReports<Row extends LoggedChange>(
  rows: readonly Row[],
  typeOfAdapter: (adapter: string) => string,
): readonly HistoryEntry<Row>[] {
  const entries: HistoryEntry<Row>[] = []
  for (const row of rows) {
    const entry = historyEntry(row)
    const last = entries.at(-1)
    const combined = last && combine(last, entry, typeOfAdapter)
    if (combined) entries.splice(-1, 1, combined)
    else entries.push(entry)
  }
  return entries
}

function combine<Row extends LoggedChange>(
  newer: HistoryEntry<Row>,
  older: HistoryEntry<Row>,
  typeOfAdapter: (adapter: string) => string,
): HistoryEntry<Row> | null {
  const [report, resource] = newer.row.adapter === '' ? [older, newer] : [newer, older]
  const { adapter, last_report_time: time, resource_id: id } = report.row
  if (resource.type !== 'reported' || resource.by !== '' || adapter === '') return null
  if (resource.row.resource_id !== id) return null
  const type = typeOfAdapter(adapter)
  const exposed = resource.row.conditions?.find((condition) => condition.type === type)
  if (time === null || exposed === undefined) return null
  // Older servers stored fewer digits.
  if (sixDigits(exposed.last_updated_time) !== sixDigits(time.toISOString())) return null
  const { revision } = newer
  const { oldestRevision } = older
  const fields = [...resource.fields, 'statuses'] as const
  return { ...resource, revision, oldestRevision, by: adapter, fields }
}

import { isJsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { PrinterColumn } from '../../model/resource-type.ts'
import { ageOf } from '../../tables/human-duration.ts'
import { computedColumn, NAME_COLUMN, wide } from '../printer-columns.ts'
import { objectOf, textOf } from '../../../lib/json/json-fields.ts'

function firstSeen(event: ApiObject, now: Date): string {
  return ageOf(textOf(event['firstTimestamp']) || textOf(event['eventTime']), now)
}

function lastSeen(event: ApiObject, now: Date): string {
  const { series, lastTimestamp } = event
  if (isJsonObject(series)) return ageOf(textOf(series['lastObservedTime']), now)
  const last = textOf(lastTimestamp)
  return last === '' ? firstSeen(event, now) : ageOf(last, now)
}

function shownObject({ involvedObject }: ApiObject): string {
  const { kind, name } = objectOf(involvedObject)
  const shownKind = textOf(kind).toLowerCase()
  return textOf(name) === '' ? shownKind : `${shownKind}/${textOf(name)}`
}

function shownSource({ source, reportingComponent, reportingInstance }: ApiObject): string {
  const { component, host } = objectOf(source)
  const program = textOf(component) || textOf(reportingComponent)
  const machine = textOf(host) || textOf(reportingInstance)
  return machine === '' ? program : `${program}, ${machine}`
}

function countOf({ series, count }: ApiObject): string {
  const value = isJsonObject(series) ? series['count'] : count
  return String(typeof value === 'number' && value > 0 ? value : 1)
}

/** The columns of events in the form of the core group. */
export const EVENT_COLUMNS: readonly PrinterColumn[] = [
  computedColumn('Last Seen', 'Time since the last occurrence.', lastSeen),
  computedColumn('Type', 'Normal or Warning.', ({ type }) => textOf(type)),
  computedColumn('Reason', 'Reason of the event.', ({ reason }) => textOf(reason)),
  computedColumn('Object', 'Kind and name of the object.', shownObject),
  wide(
    computedColumn('Subobject', 'Part of the object.', ({ involvedObject }) =>
      textOf(objectOf(involvedObject)['fieldPath']),
    ),
  ),
  wide(computedColumn('Source', 'Program that reported the event.', shownSource)),
  computedColumn('Message', 'Message of the event.', ({ message }) => textOf(message).trim()),
  wide(computedColumn('First Seen', 'Time since the first occurrence.', firstSeen)),
  wide(computedColumn('Count', 'Number of occurrences.', countOf)),
  wide(NAME_COLUMN),
]

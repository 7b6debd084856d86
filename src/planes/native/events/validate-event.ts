import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import { invalidValue, requiredValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import { microTimeErrors } from '../micro-time.ts'
import { labelKeyProblems } from '../../selectors/label-syntax.ts'
import { objectOf, textOf } from '../../../lib/json/json-fields.ts'

const MAX_LENGTHS = [
  ['reportingInstance', 128],
  ['action', 128],
  ['reason', 128],
  ['message', 1024],
] as const

/** Events are in the namespace of their object; those of cluster-scoped objects in `default`. */
function namespaceErrors({ metadata, involvedObject, eventTime }: JsonObject) {
  const namespace = textOf(objectOf(metadata)['namespace'])
  const involved = textOf(objectOf(involvedObject)['namespace'])
  const isNew = textOf(eventTime) !== ''
  const allowed = isNew ? ['default', 'kube-system'] : ['default', '']
  const isValid = involved === '' ? allowed.includes(namespace) : isNew || involved === namespace
  if (isValid) return []
  const field = 'involvedObject.namespace'
  return [invalidValue(field, involved, 'does not match event.namespace')]
}

function reporterErrors(event: JsonObject): readonly FieldError[] {
  if (textOf(event['eventTime']) === '') return []
  const component = textOf(event['reportingComponent'])
  const required = ['reportingComponent', 'reportingInstance', 'action', 'reason'].filter(
    (field) => textOf(event[field]) === '',
  )
  const names = labelKeyProblems(component).map((message) =>
    invalidValue('reportingComponent', component, message),
  )
  const lengths = MAX_LENGTHS.flatMap(([field, max]) =>
    Buffer.byteLength(textOf(event[field])) > max
      ? [invalidValue(field, '', `can have at most ${max} characters`)]
      : [],
  )
  return [...required.map((field) => requiredValue(field)), ...names, ...lengths]
}

/** The violations of an event in the form of the core group. */
export function coreEventErrors(event: JsonObject): readonly FieldError[] {
  return [
    ...namespaceErrors(event),
    ...reporterErrors(event),
    ...microTimeErrors('eventTime', event['eventTime']),
    ...microTimeErrors('series.lastObservedTime', objectOf(event['series'])['lastObservedTime']),
  ]
}

function seriesErrors({ series }: JsonObject): readonly FieldError[] {
  if (!isJsonObject(series)) return []
  const { count = 0, lastObservedTime } = series
  return [
    ...(typeof count === 'number' && count < 2
      ? [invalidValue('series.count', '', 'should be at least 2')]
      : []),
    ...(textOf(lastObservedTime) === '' ? [requiredValue('series.lastObservedTime')] : []),
  ]
}

/** The violations of a creation through events.k8s.io/v1. The event is in the core group's form. */
export function newEventErrors(event: JsonObject): readonly FieldError[] {
  const type = textOf(event['type'])
  const unset = ['firstTimestamp', 'lastTimestamp', 'count', 'source'].filter((field) => {
    const value = event[field]
    return value !== undefined && !isSameJson(value, {}) && value !== 0
  })
  return [
    ...seriesErrors(event),
    ...(textOf(event['eventTime']) === '' ? [requiredValue('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...unset.map((field) => invalidValue(field, '', 'needs to be unset')),
  ]
}

const IMMUTABLE = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
]

/** The violations of an update through events.k8s.io/v1: only the series may change. */
export function changedEventErrors(event: JsonObject, old: JsonObject): readonly FieldError[] {
  const changed = IMMUTABLE.filter((field) => !isSameJson(event[field] ?? null, old[field] ?? null))
  return [
    ...(isSameJson(event['series'] ?? null, old['series'] ?? null) ? [] : seriesErrors(event)),
    ...changed.map((field) => invalidValue(field, event[field] ?? null, 'field is immutable')),
  ]
}

import { nativeType } from '../native-type.ts'
import { integer, text, time } from '../schemas/field-schemas.ts'
import { OBJECT_REFERENCE } from '../schemas/references.ts'
import { fromCorePath, toCoreEvent } from './convert-event.ts'
import { EVENT_COLUMNS } from './event-columns.ts'
import { EVENT_SOURCE, eventSeries } from './event-schemas.ts'

const SELECTABLE_FIELDS = [
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'involvedObject.apiVersion',
  'involvedObject.resourceVersion',
  'involvedObject.fieldPath',
  'reason',
  'reportingComponent',
  'type',
]

const SHARED = {
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
} as const

const PROPERTIES = {
  action: text('Action that was taken or failed.'),
  eventTime: time('Time of the first occurrence, in microseconds.'),
  reason: text('Reason of the event, for programs.'),
  related: OBJECT_REFERENCE,
  reportingInstance: text('Identity of the instance that reported the event.'),
  type: text('Normal or Warning.'),
}

/** The type of events in the core group. */
export const EVENT_TYPE = nativeType({
  ...SHARED,
  group: '',
  definitions: 'io.k8s.api.core.v1',
  nameRule: 'path-segment',
  description: 'A report of something that happened to an object. It expires.',
  properties: {
    ...PROPERTIES,
    count: integer('Number of occurrences.'),
    firstTimestamp: time('Time of the first occurrence.'),
    involvedObject: OBJECT_REFERENCE,
    lastTimestamp: time('Time of the last occurrence.'),
    message: text('Message for readers.'),
    reportingComponent: text('Name of the controller that reported the event.'),
    series: eventSeries('core'),
    source: EVENT_SOURCE,
  },
  required: ['metadata', 'involvedObject'],
  printerColumns: EVENT_COLUMNS,
  selectableFields: SELECTABLE_FIELDS,
  fieldAliases: { source: 'source.component|reportingComponent' },
})

/** The type of the same events in their own group. */
export const GROUPED_EVENT_TYPE = nativeType({
  ...SHARED,
  group: 'events.k8s.io',
  definitions: 'io.k8s.api.events.v1',
  description: 'A report of something that happened to an object. It expires.',
  properties: {
    ...PROPERTIES,
    deprecatedCount: integer('Number of occurrences, in events of the core group.'),
    deprecatedFirstTimestamp: time('Time of the first occurrence, in events of the core group.'),
    deprecatedLastTimestamp: time('Time of the last occurrence, in events of the core group.'),
    deprecatedSource: EVENT_SOURCE,
    note: text('Message for readers.'),
    regarding: OBJECT_REFERENCE,
    reportingController: text('Name of the controller that reported the event.'),
    series: eventSeries('events'),
  },
  printerColumns: EVENT_COLUMNS.map((column) => {
    const { cell } = column
    return cell
      ? { ...column, cell: (event, now) => cell({ ...event, ...toCoreEvent(event) }, now) }
      : column
  }),
  selectableFields: SELECTABLE_FIELDS.map(fromCorePath),
})

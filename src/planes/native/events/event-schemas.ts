import type { Schema } from '../../model/schema.ts'
import { definition, integer, text, time } from '../schemas/field-schemas.ts'

/** The program that reported an event in the old form. */
export const EVENT_SOURCE: Schema = definition('io.k8s.api.core.v1.EventSource', {
  description: 'The program that reported an event.',
  properties: {
    component: text('Name of the program.'),
    host: text('Name of the machine.'),
  },
})

/** The repetitions of an event. `group` is `core` or `events`. */
export function eventSeries(group: 'core' | 'events'): Schema {
  return definition(`io.k8s.api.${group}.v1.EventSeries`, {
    description: 'The repetitions of an event.',
    properties: {
      count: integer('Number of occurrences until the last one that was reported.'),
      lastObservedTime: time('Time of the last occurrence, in microseconds.'),
    },
    ...(group === 'events' && { required: ['count', 'lastObservedTime'] }),
  })
}

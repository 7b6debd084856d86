import type { ApiObject } from '../../model/api-object.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import { objectOf, optionalNumber } from '../../../lib/json/json-fields.ts'
import { nativeType } from '../native-type.ts'
import { AGE_COLUMN, computedColumn, NAME_COLUMN, textColumn } from '../printer-columns.ts'
import { definition, integer, text } from '../schemas/field-schemas.ts'
import { FLOW_CONTROL_DEFINITIONS, FLOW_CONTROL_GROUP, statusOf } from './condition-schema.ts'

const LENDABLE = integer('Without effect: idle seats of a level are always lent. 0 by default.')

const QUEUING = definition(`${FLOW_CONTROL_DEFINITIONS}.QueuingConfiguration`, {
  description: 'The queues of a priority level.',
  properties: {
    handSize: integer('Number of queues of this length for each flow: 8 by default.'),
    queueLengthLimit: integer(
      'Requests that wait in one queue: 50 by default. A flow has this number times handSize.',
    ),
    queues: integer('Without effect: every flow has its own queue. 64 by default.'),
  },
})

const LIMITED = definition(`${FLOW_CONTROL_DEFINITIONS}.LimitedPriorityLevelConfiguration`, {
  description: 'The limits of a priority level.',
  properties: {
    borrowingLimitPercent: integer(
      'Idle seats of other levels that the level may take, in percent of its seats. No limit if absent.',
    ),
    lendablePercent: LENDABLE,
    limitResponse: definition(`${FLOW_CONTROL_DEFINITIONS}.LimitResponse`, {
      description: 'The treatment of requests that find no seat.',
      properties: {
        queuing: QUEUING,
        type: text('Queue: they wait. Reject: the response is 429.'),
      },
      required: ['type'],
    }),
    nominalConcurrencyShares: integer(
      'The part of the seats of each process that others cannot take, relative to the shares of all levels: 30 by default.',
    ),
  },
})

const SPEC = definition(`${FLOW_CONTROL_DEFINITIONS}.PriorityLevelConfigurationSpec`, {
  description: 'The limits of the requests of a priority level.',
  properties: {
    exempt: definition(`${FLOW_CONTROL_DEFINITIONS}.ExemptPriorityLevelConfiguration`, {
      description: 'Without effect: exempt requests take no seats.',
      properties: {
        lendablePercent: LENDABLE,
        nominalConcurrencyShares: integer('Without effect. 0 by default.'),
      },
    }),
    limited: LIMITED,
    type: text('Limited, or Exempt for the level exempt.'),
  },
  required: ['type'],
})

const NONE = '<none>'

function limitedOf({ spec }: ApiObject) {
  return objectOf(objectOf(spec)['limited'])
}

function sharesOf(object: ApiObject): JsonValue {
  const { spec } = object
  const { nominalConcurrencyShares: shares } = {
    ...objectOf(objectOf(spec)['exempt']),
    ...limitedOf(object),
  }
  return optionalNumber(shares) ?? NONE
}

function queuingColumn(name: string, field: string, description: string) {
  return computedColumn(name, description, (object) => {
    const { queuing } = objectOf(limitedOf(object)['limitResponse'])
    return optionalNumber(objectOf(queuing)[field]) ?? NONE
  })
}

/** The type of the classes of requests. */
export const PRIORITY_LEVEL_TYPE = nativeType({
  group: FLOW_CONTROL_GROUP,
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  definitions: FLOW_CONTROL_DEFINITIONS,
  namespaced: false,
  hasGeneration: true,
  hasStatus: true,
  description: 'A class of requests: its seats, and what happens if they are taken.',
  properties: { spec: SPEC, status: statusOf('PriorityLevelConfiguration') },
  printerColumns: [
    NAME_COLUMN,
    textColumn('Type', '.spec.type', 'Limited or Exempt.'),
    computedColumn('NominalConcurrencyShares', 'The part of the seats.', sharesOf),
    queuingColumn('Queues', 'queues', 'Number of queues.'),
    queuingColumn('HandSize', 'handSize', 'Number of queues of a flow.'),
    queuingColumn('QueueLengthLimit', 'queueLengthLimit', 'Requests that wait in a queue.'),
    AGE_COLUMN,
  ],
})

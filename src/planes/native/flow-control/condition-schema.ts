import type { Schema } from '../../model/schema.ts'
import { definition, keyedList, text, time } from '../schemas/field-schemas.ts'

/** The group of FlowSchemas and PriorityLevelConfigurations. */
export const FLOW_CONTROL_GROUP = 'flowcontrol.apiserver.k8s.io'
/** Prefix of the definitions of the group. */
export const FLOW_CONTROL_DEFINITIONS = 'io.k8s.api.flowcontrol.v1'

/** The status of a kind: a list of conditions. */
export function statusOf(kind: string): Schema {
  return definition(`${FLOW_CONTROL_DEFINITIONS}.${kind}Status`, {
    description: 'The observed state of the object.',
    properties: {
      conditions: keyedList(
        definition(`${FLOW_CONTROL_DEFINITIONS}.${kind}Condition`, {
          description: 'An observation about the object.',
          properties: {
            lastTransitionTime: time('Last time the status changed.'),
            message: text('Explanation for readers.'),
            reason: text('Reason in CamelCase.'),
            status: text('True, False or Unknown.'),
            type: text('Type of the condition.'),
          },
        }),
        ['type'],
        'Observations about the object.',
      ),
    },
  })
}

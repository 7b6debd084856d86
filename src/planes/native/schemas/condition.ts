import type { Schema } from '../../model/schema.ts'
import { choice, definition, longInteger, text, time } from './field-schemas.ts'

/** A condition in the form that most kinds share. */
export const CONDITION: Schema = definition('io.k8s.apimachinery.pkg.apis.meta.v1.Condition', {
  description: 'An observation about an aspect of the state of an object.',
  properties: {
    lastTransitionTime: time('Last time the status changed.'),
    message: text('Explanation for readers. It may be empty.'),
    observedGeneration: longInteger('Generation of the object that was observed.'),
    reason: text('Reason in CamelCase.'),
    status: choice(['True', 'False', 'Unknown'], 'True, False or Unknown.'),
    type: text('Type of the condition, in CamelCase.'),
  },
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
})

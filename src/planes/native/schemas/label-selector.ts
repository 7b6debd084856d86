import type { Schema } from '../../model/schema.ts'
import { atomicList, atomicMap, definition, mapOf, TEXT, text, textList } from './field-schemas.ts'

/** A requirement on a label. */
export const LABEL_SELECTOR_REQUIREMENT: Schema = definition(
  'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement',
  {
    description: 'A requirement on the value of a label.',
    properties: {
      key: text('Key of the label.'),
      operator: text('In, NotIn, Exists or DoesNotExist.'),
      values: textList('Values for In and NotIn; empty for the other operators.'),
    },
    required: ['key', 'operator'],
  },
)

/** A selection of objects by labels. */
export const LABEL_SELECTOR: Schema = atomicMap(
  definition('io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector', {
    description:
      'Selects objects by labels. All requirements must match. Empty selects everything.',
    properties: {
      matchExpressions: atomicList(LABEL_SELECTOR_REQUIREMENT, 'Requirements on labels.'),
      matchLabels: mapOf(TEXT, 'Labels with the values that they must have.'),
    },
  }),
)

/** A requirement on a field. */
export const FIELD_SELECTOR_REQUIREMENT: Schema = definition(
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement',
  {
    description: 'A requirement on the value of a field.',
    properties: {
      key: text('Path of the field.'),
      operator: text('In, NotIn, Exists or DoesNotExist.'),
      values: textList('Values for In and NotIn; empty for the other operators.'),
    },
    required: ['key', 'operator'],
  },
)

import { nativeType } from '../native-type.ts'
import { AGE_COLUMN, countColumn, NAME_COLUMN } from '../printer-columns.ts'
import { choice, definition, keyedList, withDefault } from '../schemas/field-schemas.ts'
import {
  ADMISSION_DEFINITIONS,
  ADMISSION_GROUP,
  WEBHOOK_PROPERTIES,
  WEBHOOK_REQUIRED,
} from './webhook-schemas.ts'

const SHARED = {
  group: ADMISSION_GROUP,
  definitions: ADMISSION_DEFINITIONS,
  categories: ['api-extensions'],
  namespaced: false,
  hasGeneration: true,
  printerColumns: [
    NAME_COLUMN,
    countColumn('Webhooks', ['webhooks'], 'Number of webhooks.'),
    AGE_COLUMN,
  ],
} as const

const MUTATING_WEBHOOK = definition(`${ADMISSION_DEFINITIONS}.MutatingWebhook`, {
  description: 'A server that may change objects before they are written.',
  properties: {
    ...WEBHOOK_PROPERTIES,
    reinvocationPolicy: withDefault(
      choice(
        ['Never', 'IfNeeded'],
        'Whether the webhook is called again if later webhooks change the object.',
      ),
      'Never',
    ),
  },
  required: WEBHOOK_REQUIRED,
})

const VALIDATING_WEBHOOK = definition(`${ADMISSION_DEFINITIONS}.ValidatingWebhook`, {
  description: 'A server that may reject writes.',
  properties: WEBHOOK_PROPERTIES,
  required: WEBHOOK_REQUIRED,
})

/** The type of configurations of webhooks that change objects. */
export const MUTATING_WEBHOOK_CONFIGURATION_TYPE = nativeType({
  ...SHARED,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  description: 'Webhooks that may change objects before they are written.',
  properties: { webhooks: keyedList(MUTATING_WEBHOOK, ['name'], 'The webhooks.') },
})

/** The type of configurations of webhooks that reject writes. */
export const VALIDATING_WEBHOOK_CONFIGURATION_TYPE = nativeType({
  ...SHARED,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  description: 'Webhooks that may reject writes.',
  properties: { webhooks: keyedList(VALIDATING_WEBHOOK, ['name'], 'The webhooks.') },
})

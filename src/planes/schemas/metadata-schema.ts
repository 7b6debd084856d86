import type { Schema } from '../model/schema.ts'
import { OBJECT_META_SCHEMA } from './object-meta-schema.ts'

/** The schema of `metadata` for input: it accepts the names of fields in managedFields. */
export const METADATA_SCHEMA: Schema = {
  ...OBJECT_META_SCHEMA,
  properties: {
    ...OBJECT_META_SCHEMA.properties,
    managedFields: {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
}

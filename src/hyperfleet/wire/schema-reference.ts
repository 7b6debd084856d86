import type { JsonObject } from '../../lib/json/json.ts'

/** A reference to a schema of the document. */
export const ref = (schema: string): JsonObject => ({ $ref: `#/components/schemas/${schema}` })

import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'
import { createSchemaWalker } from '../walk-schema.ts'

const WALKER = createSchemaWalker((schema) => schema['x-kubernetes-validations'] !== undefined)

/** Whether a schema has CEL rules. */
export function hasRules(schema: Schema): boolean {
  return WALKER.hasRelevant(schema)
}

/** The violations of the CEL rules of a schema. */
export function ruleErrors(
  _object: ApiObject,
  _old: ApiObject | null,
  _schema: Schema,
): readonly FieldError[] {
  return []
}

import type { Steps } from '../../../lib/async/steps.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import { forbiddenValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'
import { checkDefaults } from './check-defaults.ts'
import { checkExtensions } from './check-extensions.ts'
import { checkRules } from './check-rules.ts'
import { checkStructure } from './check-structure.ts'
import { isSchema, schemaShapeErrors } from './schema-shape.ts'
import { createErrorList } from './structural-run.ts'

/**
 * The violations of the rules for schemas of custom resources: they must be structural, bounded, and
 * have valid defaults, patterns and CEL rules.
 */
export function* structuralErrors(value: JsonValue, path: string): Steps<readonly FieldError[]> {
  const shape = schemaShapeErrors(value, path)
  if (!isSchema(value, shape)) return shape
  yield
  const schema: Schema = value
  const list = createErrorList()
  if (schema.nullable === true) {
    list.add(forbiddenValue(`${path}.nullable`, 'nullable cannot be true at the root'))
  }
  checkStructure({ schema, level: 'root', path }, list)
  yield
  checkExtensions(schema, path, list)
  // The later checks evaluate the schema, which must be sound for that.
  yield
  if (list.errors.length === 0) checkDefaults(schema, path, list)
  yield
  if (list.errors.length === 0) checkRules(schema, path, list)
  return list.errors
}

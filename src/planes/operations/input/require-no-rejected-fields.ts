import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { objectInvalid } from '../../errors/failures.ts'
import { forbiddenValue } from '../../errors/field-errors.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Target } from '../../model/object-operations.ts'
import type { Schema } from '../../model/schema.ts'
import { versionOf } from '../versioned-object.ts'

/** 422 with a hint if an object has a field that the type rejects. */
export function requireNoRejectedFields(input: ApiObject, { type, version }: Target): void {
  const { rejectedFields } = type
  if (!rejectedFields) return
  const { schema } = versionOf(type, version)
  const errors = Object.entries(rejectedFields)
    .filter(([path]) => !isDeclared(schema, path.split('.')))
    .filter(([path]) => hasField(input, path.split('.')))
    .map(([path, remedy]) => forbiddenValue(path, `unknown field; ${remedy}`))
  if (errors.length > 0) throw objectInvalid(type, input.metadata.name ?? '', errors)
}

/** Another version may have the field. */
function isDeclared(schema: Schema, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  const field = schema.properties?.[name]
  return field !== undefined && isDeclared(field, rest)
}

function hasField(value: JsonValue, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return false
  const member = value[name]
  return member !== undefined && hasField(member, rest)
}

import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { forbiddenValue, invalidValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'
import { embeddedResourceErrors } from '../embedded-resources.ts'
import { prune } from '../prune.ts'
import { validateAgainstSchema } from '../validate-object.ts'
import { type ErrorList, structuralParts } from './structural-run.ts'

const META = ['apiVersion', 'kind', 'metadata']

/** Checks that defaults are valid and have no unknown fields. */
export function checkDefaults(schema: Schema, path: string, list: ErrorList): void {
  for (const part of structuralParts(schema, path)) {
    const isMeta = part.property !== null && META.includes(part.property)
    if (isMeta) forbidDefaults(part.schema, { path: part.path, name: part.property ?? '' }, list)
    else checkDefault(part.schema, part.path, list)
  }
}

function checkDefault(schema: Schema, path: string, list: ErrorList): void {
  const { default: value } = schema
  if (value !== undefined) list.add(...defaultErrors(value, schema, `${path}.default`))
  for (const part of structuralParts(schema, path)) checkDefault(part.schema, part.path, list)
}

function forbidDefaults(
  schema: Schema,
  { path, name }: { readonly path: string; readonly name: string },
  list: ErrorList,
): void {
  if (schema.default !== undefined) {
    list.add(forbiddenValue(`${path}.default`, `must not be set in top-level ${name}`))
  }
  for (const part of structuralParts(schema, path)) {
    forbidDefaults(part.schema, { path: part.path, name }, list)
  }
}

function defaultErrors(value: JsonValue, schema: Schema, path: string): readonly FieldError[] {
  const wrapper: Schema = { type: 'object', properties: { default: schema } }
  const { unknownFields } = prune({ default: value }, wrapper)
  if (unknownFields.length > 0) return [invalidValue(path, value, 'must not have unknown fields')]
  const errors = [
    ...validateAgainstSchema(value, schema),
    ...(isJsonObject(value) ? embeddedResourceErrors(value, schema) : []),
  ]
  return errors.map(({ field, ...error }) => {
    if (field === '<nil>') return { ...error, field: path }
    return { ...error, field: field === '' ? path : `${path}.${field}` }
  })
}

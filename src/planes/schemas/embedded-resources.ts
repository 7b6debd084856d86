import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { invalidValue, requiredValue } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import type { Schema } from '../model/schema.ts'
import { memberOf } from './canonical-text.ts'
import { METADATA_SCHEMA } from './metadata-schema.ts'
import { validateAgainstSchema } from './validate-object.ts'
import { childPath, MAX_FIELD_ERRORS } from './validation/validation-run.ts'
import { createSchemaWalker } from './walk-schema.ts'

const KIND = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/i
const API_VERSION = /^[^/]*(?:\/[^/]*)?$/

const WALKER = createSchemaWalker((schema) => schema['x-kubernetes-embedded-resource'] === true)

/** The violations of resources within the object: they need apiVersion and kind. */
export function embeddedResourceErrors(value: JsonValue, schema: Schema): readonly FieldError[] {
  const errors: FieldError[] = []
  WALKER.walk(value, schema, (resource, _schema, path) => {
    if (isJsonObject(resource) && errors.length < MAX_FIELD_ERRORS) {
      errors.push(...resourceErrors(resource, path))
    }
  })
  return errors
}

function resourceErrors(resource: JsonObject, path: string): readonly FieldError[] {
  const metadata = memberOf(resource, 'metadata')
  return [
    ...textErrors(resource, childPath(path, 'apiVersion'), 'apiVersion'),
    ...textErrors(resource, childPath(path, 'kind'), 'kind'),
    ...(metadata === undefined ? [] : metadataErrors(metadata, childPath(path, 'metadata'))),
  ]
}

function textErrors(
  resource: JsonObject,
  field: string,
  name: 'apiVersion' | 'kind',
): readonly FieldError[] {
  const value = memberOf(resource, name)
  if (value === undefined) return [requiredValue(field)]
  if (typeof value !== 'string') return [invalidValue(field, value, 'must be a string')]
  if (value === '') return [invalidValue(field, value, 'must not be empty')]
  if (name === 'apiVersion' && !API_VERSION.test(value)) {
    return [invalidValue(field, value, `unexpected GroupVersion string: ${value}`)]
  }
  if (name === 'kind' && !KIND.test(value)) {
    const rule =
      "a DNS-1035 label must start with a letter and contain only letters, digits and '-'"
    const detail = `may have mixed case, but should otherwise match: ${rule}`
    return [invalidValue(field, value, detail)]
  }
  return []
}

function metadataErrors(metadata: JsonValue, path: string): readonly FieldError[] {
  return validateAgainstSchema(metadata, METADATA_SCHEMA).map(({ field, ...error }) => {
    return { ...error, field: field === '' ? path : childPath(path, field) }
  })
}

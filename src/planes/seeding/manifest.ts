import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { hasPlaceholders } from '../../lib/json/replace-placeholders.ts'
import { forbiddenValue, invalidType, invalidValue, requiredValue } from '../errors/field-errors.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { FieldError } from '../model/field-error.ts'

/** An object of a template, and the path of its field, such as `spec.template.objects[0]`. */
export interface Manifest {
  readonly field: string
  readonly object: ApiObject
}

/** Fields of `metadata` that the server sets, with the reason in the error message. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  generateName: 'set name: it may contain ${name} or ${index}',
  managedFields: 'the manager of the objects is fleet',
  ownerReferences: 'uids are assigned when a member is created, so owners cannot be named here',
  resourceVersion: 'it is assigned when a member is created',
  uid: 'it is assigned when a member is created',
}

/** Checks the rules that hold for manifests of every type. */
export function manifestErrors(value: JsonValue, field: string): readonly FieldError[] {
  if (!isJsonObject(value)) return [invalidType(field, value, 'must be a manifest')]
  const { metadata = {} } = value
  const typeErrors = ['apiVersion', 'kind'].flatMap((name) => {
    return textErrors(value[name], `${field}.${name}`)
  })
  if (!isJsonObject(metadata)) {
    return [...typeErrors, invalidType(`${field}.metadata`, metadata, 'must be an object')]
  }
  return [...typeErrors, ...metadataErrors(metadata, `${field}.metadata`)]
}

/** Converts a manifest that `manifestErrors` accepts. */
export function manifestObject(value: JsonValue): ApiObject {
  const object = isJsonObject(value) ? value : {}
  const { apiVersion, kind, metadata } = object
  return {
    ...object,
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
    kind: typeof kind === 'string' ? kind : '',
    metadata: isJsonObject(metadata) ? metadata : {},
  }
}

/** `apiVersion` and `kind` must be plain text: an object has the same type in all members. */
function textErrors(value: JsonValue | undefined, field: string): readonly FieldError[] {
  if (value === undefined || value === '') return [requiredValue(field)]
  if (typeof value !== 'string') return [invalidType(field, value, 'must be a string')]
  return hasPlaceholders(value) ? [invalidValue(field, value, 'must not have placeholders')] : []
}

function metadataErrors(metadata: JsonObject, field: string): readonly FieldError[] {
  const forbidden = Object.entries(FORBIDDEN).flatMap(([name, reason]) => {
    const value = metadata[name] ?? ''
    return value === '' || isEmptyList(value) ? [] : [forbiddenValue(`${field}.${name}`, reason)]
  })
  const { name = '', namespace = '' } = metadata
  const textless = Object.entries({ name, namespace }).flatMap(([member, value]) =>
    typeof value === 'string' || value === null
      ? []
      : [invalidType(`${field}.${member}`, value, 'must be a string')],
  )
  const missing = name === '' || name === null ? [requiredValue(`${field}.name`)] : []
  return [...forbidden, ...textless, ...missing]
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0
}

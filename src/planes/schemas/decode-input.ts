import { endLongTurn } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { badRequest } from '../errors/failures.ts'
import type { ApiObject, ObjectMeta } from '../model/api-object.ts'
import type { Schema } from '../model/schema.ts'
import { memberOf } from './canonical-text.ts'
import { applyDefaults, removeNulls } from './defaults.ts'
import { duplicateFields } from './duplicate-fields.ts'
import { METADATA_SCHEMA } from './metadata-schema.ts'
import { prune } from './prune.ts'
import { validateAgainstSchema } from './validate-object.ts'

interface InputOptions {
  readonly schema: Schema
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  /** JSON text of the request. Without it, duplicate fields are not detected. */
  readonly text?: string
  /** The duplicate keys of a YAML body, as messages. */
  readonly duplicateKeys?: readonly string[]
  readonly warn: (message: string) => void
}

/**
 * Prepares an object of a request for admission: removes unknown fields, then sets defaults. Unknown
 * and duplicate fields are errors (400), warnings or ignored. Returns the object itself if nothing
 * changes.
 */
export async function decodeInput(object: ApiObject, options: InputOptions): Promise<ApiObject> {
  const { schema, fieldValidation, text, duplicateKeys = [] } = options
  const { object: known, unknownFields, hasNulls } = prune(object, schema)
  const { metadata } = object
  await endLongTurn()
  requireMetadata(memberOf(known, 'metadata'), metadata)
  if (fieldValidation !== 'Ignore') {
    const duplicates = text === undefined ? [] : duplicateFields(text)
    reportFields(object, options, [
      ...(duplicateKeys.length > 0
        ? [`yaml: unmarshal errors:\n  ${duplicateKeys.join('\n  ')}`]
        : []),
      ...duplicates.map((field) => `duplicate field "${field}"`),
      ...unknownFields.toSorted().map((field) => `unknown field "${field}"`),
    ])
  }
  await endLongTurn()
  const present = hasNulls ? removeNulls(known, schema) : known
  return asApiObject(applyDefaults(present, schema), object)
}

/** Sets the defaults of fields that the schema has declared since the object was stored. */
export function applyReadDefaults(object: ApiObject, schema: Schema): ApiObject {
  return asApiObject(applyDefaults(object, schema), object)
}

function reportFields(
  { apiVersion, kind }: ApiObject,
  { fieldValidation, warn }: InputOptions,
  problems: readonly string[],
): void {
  if (problems.length === 0) return
  if (fieldValidation === 'Warn') {
    for (const problem of problems) warn(problem)
    return
  }
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  const detail = `strict decoding error: ${problems.join(', ')}`
  throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${detail}`)
}

function requireMetadata(known: JsonValue | undefined, metadata: ObjectMeta): void {
  const value = known ?? metadata
  const [error] = validateAgainstSchema(value, METADATA_SCHEMA)
  if (!error) return
  const field = error.field === '' ? 'metadata' : `metadata.${error.field}`
  throw badRequest(`the object provided is unrecognized: ${field}: ${error.message}`)
}

/** Pruning and defaults keep the members that every object has. */
function asApiObject(object: JsonObject, { apiVersion, kind, metadata }: ApiObject): ApiObject {
  if (object['metadata'] === metadata) {
    return isApiObject(object) ? object : { ...object, apiVersion, kind, metadata }
  }
  const pruned = memberOf(object, 'metadata')
  return { ...object, apiVersion, kind, metadata: isJsonObject(pruned) ? pruned : metadata }
}

function isApiObject(object: JsonObject): object is ApiObject {
  return typeof object['apiVersion'] === 'string' && typeof object['kind'] === 'string'
}

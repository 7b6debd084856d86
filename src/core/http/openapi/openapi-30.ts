import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { schema30, schemas30 } from './schema-30.ts'

const JSON_PATCH = 'application/json-patch+json'
const JSON_PATCH_SCHEMAS = ['JsonPatchRequest', 'JsonPatchOperation']

/**
 * The document in OpenAPI 3.0.3, for generators that do not read 3.1. It lacks JSON Patch, whose
 * rules 3.0 cannot express.
 */
export function openapi30(document: JsonObject): JsonObject {
  const { info, components, ...rest } = document
  return {
    ...objectOf(convert(rest)),
    openapi: '3.0.3',
    info: infoOf(objectOf(info)),
    components: componentsOf(objectOf(components)),
  }
}

/** 3.0 has neither a summary of the API nor an identifier of its licence. */
function infoOf({ summary: _summary, license, ...info }: JsonObject): JsonObject {
  const { identifier: _identifier, ...named } = objectOf(license)
  return { ...info, ...(license !== undefined && { license: named }) }
}

function componentsOf({ schemas, ...rest }: JsonObject): JsonObject {
  const kept = Object.entries(schemas30(schemas)).filter(
    ([name]) => !JSON_PATCH_SCHEMAS.includes(name),
  )
  return { ...objectOf(convert(rest)), schemas: Object.fromEntries(kept) }
}

/** Converts the schemas in a part of the document that is not a schema itself. */
function convert(part: JsonValue): JsonValue {
  if (Array.isArray(part)) return part.map(convert)
  if (!isJsonObject(part)) return part
  const entries = Object.entries(part).filter(([key]) => key !== JSON_PATCH)
  return Object.fromEntries(entries.map(([key, value]) => [key, convertMember(key, value)]))
}

function convertMember(key: string, value: JsonValue): JsonValue {
  if (key === 'schema') return schema30(value)
  return key === 'example' || key === 'examples' ? value : convert(value)
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { schema30, schemas30 } from './schema-30.ts'
import { objectOf, textOf } from '../../lib/json/json-fields.ts'

const JSON_PATCH = 'application/json-patch+json'
const JSON_PATCH_SCHEMAS = ['JsonPatchRequest', 'JsonPatchOperation']

/**
 * The document in OpenAPI 3.0.3, for generators that do not read 3.1. It omits JSON Patch, whose
 * rules 3.0 cannot express. It also omits alternative spellings of parameters, because a Go generator
 * maps them to the same field.
 */
export function openapi30(document: JsonObject): JsonObject {
  const { info, components, ...rest } = withoutAliases(document)
  return {
    ...objectOf(convert(rest)),
    openapi: '3.0.3',
    info: infoOf(objectOf(info)),
    components: componentsOf(objectOf(components)),
  }
}

function withoutAliases(document: JsonObject): JsonObject {
  const components = objectOf(document['components'])
  const { aliases, others } = splitAliases(objectOf(components['parameters']))
  const references = new Set(aliases.map((name) => `#/components/parameters/${name}`))
  const paths = withoutReferences(document['paths'] ?? {}, references)
  return { ...document, paths, components: { ...components, parameters: others } }
}

/** Separates parameters whose names differ from an earlier one only in case and separators. */
function splitAliases(parameters: JsonObject): {
  readonly aliases: readonly string[]
  readonly others: JsonObject
} {
  const spellings = new Map<string, string>()
  const aliases = Object.entries(parameters).flatMap(([component, parameter]) => {
    const name = textOf(objectOf(parameter)['name'])
    const folded = name.toLowerCase().replaceAll(/[-_]/g, '')
    if (!spellings.has(folded)) spellings.set(folded, name)
    return spellings.get(folded) === name ? [] : [component]
  })
  const others = Object.entries(parameters).filter(([name]) => !aliases.includes(name))
  return { aliases, others: Object.fromEntries(others) }
}

function withoutReferences(part: JsonValue, references: ReadonlySet<string>): JsonValue {
  if (Array.isArray(part)) {
    const kept = part.filter((item) => !references.has(textOf(objectOf(item)['$ref'])))
    return kept.map((item) => withoutReferences(item, references))
  }
  if (!isJsonObject(part)) return part
  const entries = Object.entries(part)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, withoutReferences(value, references)]),
  )
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
  return Object.fromEntries(entries.map(([key, value]) => [key, convertField(key, value)]))
}

function convertField(key: string, value: JsonValue): JsonValue {
  if (key === 'schema') return schema30(value)
  return key === 'example' || key === 'examples' ? value : convert(value)
}

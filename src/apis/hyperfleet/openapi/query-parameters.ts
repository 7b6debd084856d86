import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { Route } from '../../../http/server/route-table.ts'

/** A route of the document: `template` is a path below the base path. */
type DescribedRoute = Pick<Route, 'method' | 'template'>

/**
 * The query parameters that the document lists for a route, or null if the document does not
 * contain the route. Validation uses the same document.
 */
export function queryParametersOf(
  document: JsonObject,
  { method, template }: DescribedRoute,
): readonly string[] | null {
  const operation = valueAt(document, ['paths', template, method])
  if (!isJsonObject(operation)) return null
  const listed = operation['parameters'] ?? []
  if (!Array.isArray(listed)) return []
  return listed
    .map((parameter) => resolved(document, parameter))
    .filter((parameter) => parameter['in'] === 'query')
    .flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
}

function resolved(document: JsonObject, parameter: JsonValue): JsonObject {
  if (!isJsonObject(parameter)) return {}
  const { $ref: reference } = parameter
  if (typeof reference !== 'string') return parameter
  const target = valueAt(document, reference.replace(/^#\//, '').split('/'))
  return isJsonObject(target) ? target : {}
}

function valueAt(document: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    document,
  )
}

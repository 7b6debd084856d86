import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { KindRoute } from '../../../core/registry/kind-routes.ts'

/** The schema of a route's body in this content type; null where it takes none. */
export function bodySchemaOf(
  document: JsonObject,
  { template, method }: Pick<KindRoute, 'template' | 'method'>,
  type: string,
): JsonObject | null {
  const path = ['paths', template, method, 'requestBody', 'content', type, 'schema']
  const schema = path.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    document,
  )
  return isJsonObject(schema) ? schema : null
}

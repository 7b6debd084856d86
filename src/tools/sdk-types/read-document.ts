import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { compareText } from '../../lib/text/compare-text.ts'
import type { SdkDocument } from './declaration.ts'
import { descriptionOf, readSchema } from './read-schema.ts'

/** Reads the component schemas of an OpenAPI document. */
export function readDocument(name: string, document: JsonObject): SdkDocument {
  const { info, components } = document
  const schemas = isJsonObject(components) ? components['schemas'] : null
  const title = isJsonObject(info) ? info['title'] : null
  const entries = Object.entries(isJsonObject(schemas) ? schemas : {})
  return {
    name,
    title: typeof title === 'string' ? title : name,
    declarations: entries
      .map(([schemaName, schema]) => ({
        name: schemaName,
        description: descriptionOf(schema),
        type: readSchema(schema),
      }))
      .sort((a, b) => compareText(a.name, b.name)),
  }
}

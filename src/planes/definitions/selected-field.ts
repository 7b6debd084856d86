import type { JsonObject } from '../../lib/json/json.ts'
import { objectOf, textOf } from '../../lib/json/json-fields.ts'

/** The problem of the path of a selectable field; null if it is valid for the schema. */
export function selectedFieldProblem(jsonPath: string, schema: JsonObject): string | null {
  if (!/^(?:\.[^.[\]]+)+$/.test(jsonPath)) return 'is an invalid path: expected . and a field name'
  const steps = jsonPath.split('.').slice(1)
  if (steps[0] === 'metadata') return 'must not point to fields in metadata'
  let current = schema
  for (const step of steps) {
    const properties = objectOf(current['properties'])
    if (!Object.hasOwn(properties, step))
      return 'is an invalid path: does not refer to a valid field'
    current = objectOf(properties[step])
  }
  if (['string', 'boolean', 'integer'].includes(textOf(current['type']))) return null
  return 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
}

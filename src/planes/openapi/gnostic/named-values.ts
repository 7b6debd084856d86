import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import { jsonText } from '../../../lib/json/json-text.ts'

/** The members of an object as a list of messages with name and value. */
export function named(
  object: JsonObject,
  convert: (value: JsonValue) => object,
): readonly { readonly name: string; readonly value: object }[] {
  return Object.entries(object).map(([name, value]) => ({ name, value: convert(value) }))
}

/** A value of any type. JSON is valid YAML. */
export function anyValue(value: JsonValue): object {
  return { yaml: jsonText(value) }
}

/** The members whose names begin with `x-`. */
export function vendorExtensions(object: JsonObject): readonly object[] {
  const extensions = Object.entries(object).filter(([name]) => name.startsWith('x-'))
  return named(Object.fromEntries(extensions), anyValue)
}

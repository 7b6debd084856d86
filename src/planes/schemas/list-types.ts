import { type JsonValue, isJsonArray, isJsonObject } from '../../lib/json/json.ts'
import { duplicateValue, invalidValue } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import type { Schema } from '../model/schema.ts'
import { canonicalText } from './canonical-text.ts'
import { keysOfItem } from './list-keys.ts'
import { MAX_FIELD_ERRORS } from './validation/validation-run.ts'
import { createSchemaWalker } from './walk-schema.ts'

const WALKER = createSchemaWalker((schema) => {
  const type = schema['x-kubernetes-list-type']
  return type === 'set' || type === 'map'
})

/** The duplicates in lists that are sets or maps. */
export function listTypeErrors(value: JsonValue, schema: Schema): readonly FieldError[] {
  const errors: FieldError[] = []
  WALKER.walk(value, schema, (list, listSchema, path) => {
    if (!isJsonArray(list) || errors.length >= MAX_FIELD_ERRORS) return
    const isMap = listSchema['x-kubernetes-list-type'] === 'map'
    errors.push(...(isMap ? mapErrors(list, listSchema, path) : duplicatesIn(list, path)))
  })
  return errors.slice(0, MAX_FIELD_ERRORS)
}

function mapErrors(list: readonly JsonValue[], schema: Schema, path: string): FieldError[] {
  const wrong = list.findIndex((item) => item !== null && !isJsonObject(item))
  const found = list[wrong]
  if (found !== undefined) {
    const detail = 'must be an object for an array of list-type map'
    return [invalidValue(`${path}[${wrong}]`, found, detail)]
  }
  const keys = list.map((item) => (isJsonObject(item) ? keysOfItem(item, schema) : {}))
  return duplicatesIn(keys, path)
}

/** The second occurrence of each value. */
function duplicatesIn(values: readonly JsonValue[], path: string): FieldError[] {
  const counts = new Map<string, number>()
  const errors: FieldError[] = []
  for (const [index, value] of values.entries()) {
    const text = canonicalText(value)
    const count = counts.get(text) ?? 0
    counts.set(text, count + 1)
    if (count === 1 && errors.length < MAX_FIELD_ERRORS)
      errors.push(duplicateValue(`${path}[${index}]`, value))
  }
  return errors
}

import { endsStep, type Steps } from '../../lib/async/steps.ts'
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

interface TypedList {
  readonly list: readonly JsonValue[]
  readonly schema: Schema
  readonly path: string
}

/** The duplicates in lists that are sets or maps. */
export function* listTypeErrors(value: JsonValue, schema: Schema): Steps<readonly FieldError[]> {
  const lists: TypedList[] = []
  WALKER.walk(value, schema, (list, listSchema, path) => {
    if (isJsonArray(list)) lists.push({ list, schema: listSchema, path })
  })
  const errors: FieldError[] = []
  for (const typed of lists) {
    if (errors.length >= MAX_FIELD_ERRORS) break
    errors.push(...(yield* errorsOf(typed)))
  }
  return errors.slice(0, MAX_FIELD_ERRORS)
}

function* errorsOf({ list, schema, path }: TypedList): Steps<readonly FieldError[]> {
  if (schema['x-kubernetes-list-type'] === 'set') return yield* duplicatesIn(list, path)
  const wrong = list.findIndex((item) => item !== null && !isJsonObject(item))
  const found = list[wrong]
  if (found !== undefined) {
    const detail = 'must be an object for an array of list-type map'
    return [invalidValue(`${path}[${wrong}]`, found, detail)]
  }
  const keysOf = (item: JsonValue) => (isJsonObject(item) ? keysOfItem(item, schema) : {})
  return yield* duplicatesIn(list, path, keysOf)
}

/** The second occurrence of each value, or of what identifies it. */
function* duplicatesIn(
  values: readonly JsonValue[],
  path: string,
  identify = (value: JsonValue): JsonValue => value,
): Steps<readonly FieldError[]> {
  const counts = new Map<string, number>()
  const errors: FieldError[] = []
  for (const [index, item] of values.entries()) {
    if (endsStep()) yield
    const value = identify(item)
    const text = canonicalText(value)
    const count = counts.get(text) ?? 0
    counts.set(text, count + 1)
    if (count === 1 && errors.length < MAX_FIELD_ERRORS)
      errors.push(duplicateValue(`${path}[${index}]`, value))
  }
  return errors
}

import { type JsonValue, isJsonArray, isJsonObject } from '../../../lib/json/json.ts'
import { invalidValue, tooMany } from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { canonicalText } from '../canonical-text.ts'
import { keyOfItem } from '../list-keys.ts'
import {
  type Check,
  type Compile,
  countParts,
  keepLoop,
  pausedLoop,
  pauseIfLong,
  report,
  type ValidationRun,
} from './validation-run.ts'

/** Checks the items of arrays and their number. Null if the schema has no such rule. */
export function compileArrayCheck(schema: Schema, compile: Compile): Check | null {
  const { items, minItems, maxItems, uniqueItems } = schema
  const check = items === undefined ? null : compile(items)
  if (!check && minItems === undefined && maxItems === undefined && uniqueItems !== true) {
    return null
  }
  return (value, old, path, run) => {
    if (!isJsonArray(value)) return
    if (check) checkItems(check, value, { schema, old, path, run })
    if (minItems !== undefined && value.length < minItems) {
      const detail = `${path} in body should have at least ${minItems} items`
      report(run, invalidValue(path, value.length, detail))
    }
    if (maxItems !== undefined && value.length > maxItems) {
      report(run, tooMany(path, value.length, maxItems))
    }
    if (uniqueItems === true) countParts(value, run)
    if (uniqueItems === true && new Set(value.map(canonicalText)).size < value.length) {
      report(run, invalidValue(path, '', `${path} in body shouldn't contain duplicates`))
    }
  }
}

interface Items {
  readonly schema: Schema
  readonly old: JsonValue | undefined
  readonly path: string
  readonly run: ValidationRun
}

function checkItems(check: Check, items: readonly JsonValue[], { schema, old, path, run }: Items) {
  const paused = pausedLoop(run)
  const oldItemOf = paused?.oldItemOf ?? correlation(schema, old)
  let index = paused?.next ?? 0
  try {
    for (; index < items.length; index += 1) {
      pauseIfLong(run)
      const item = items[index] ?? null
      check(item, oldItemOf(item), `${path}[${index}]`, run)
    }
  } catch (error) {
    throw keepLoop(error, run, { next: index, oldItemOf })
  }
}

/** Only the items of list maps have a counterpart: the old item with the same keys. */
function correlation(
  schema: Schema,
  old: JsonValue | undefined,
): (item: JsonValue) => JsonValue | undefined {
  const keys = schema['x-kubernetes-list-map-keys']
  if (!isJsonArray(old) || keys === undefined || schema['x-kubernetes-list-type'] !== 'map') {
    return () => undefined
  }
  const byKey = new Map(
    old.filter((item) => isJsonObject(item)).map((item) => [keyOfItem(item, schema), item]),
  )
  return (item) => (isJsonObject(item) ? byKey.get(keyOfItem(item, schema)) : undefined)
}

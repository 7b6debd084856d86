import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../lib/json/json.ts'
import { invalidValue, tooMany } from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { canonicalText } from '../canonical-text.ts'
import { itemsByKey, keyOfItem } from '../list-keys.ts'
import {
  type Check,
  type Compile,
  countParts,
  keepLoop,
  type OldItems,
  pause,
  pausedLoop,
  pauseIfLong,
  report,
  type ValidationRun,
} from './validation-run.ts'

/** Checks the items of arrays and their number. Null if the schema has no such rule. */
export function compileArrayCheck(schema: Schema, compile: Compile): Check | null {
  const { items, minItems, maxItems } = schema
  const check = items === undefined ? null : compile(items)
  if (!check && minItems === undefined && maxItems === undefined) return null
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
  }
}

/** Checks that no two items of arrays are equal. Null if the schema has no such rule. */
export function compileUniqueCheck({ uniqueItems }: Schema): Check | null {
  if (uniqueItems !== true) return null
  return (value, _old, path, run) => {
    if (!isJsonArray(value) || !hasDuplicates(value, run)) return
    report(run, invalidValue(path, '', `${path} in body shouldn't contain duplicates`))
  }
}

function hasDuplicates(items: readonly JsonValue[], run: ValidationRun): boolean {
  const paused = pausedLoop(run)
  const texts = paused?.texts ?? new Set<string>()
  let index = paused?.next ?? 0
  try {
    for (; index < items.length; index += 1) {
      pauseIfLong(run)
      const item = items[index] ?? null
      countParts(item, run)
      texts.add(canonicalText(item))
    }
  } catch (error) {
    throw keepLoop(error, run, { next: index, texts })
  }
  return texts.size < items.length
}

interface Items {
  readonly schema: Schema
  readonly old: JsonValue | undefined
  readonly path: string
  readonly run: ValidationRun
}

function checkItems(check: Check, items: readonly JsonValue[], { schema, old, path, run }: Items) {
  const paused = pausedLoop(run)
  const oldItems = paused?.oldItems ?? oldItemsOf(schema, old)
  let index = paused?.next ?? 0
  try {
    const byKey = collected(oldItems)
    const oldItemOf = (item: JsonValue): JsonValue | undefined =>
      byKey.size > 0 && isJsonObject(item) ? byKey.get(keyOfItem(item, schema)) : undefined
    for (; index < items.length; index += 1) {
      pauseIfLong(run)
      const item = items[index] ?? null
      check(item, oldItemOf(item), `${path}[${index}]`, run)
    }
  } catch (error) {
    throw keepLoop(error, run, { next: index, oldItems })
  }
}

/** Only the items of list maps have a counterpart: the old item with the same keys. */
function oldItemsOf(schema: Schema, old: JsonValue | undefined): OldItems {
  const isMap =
    schema['x-kubernetes-list-type'] === 'map' && schema['x-kubernetes-list-map-keys'] !== undefined
  return { steps: itemsByKey(isMap && isJsonArray(old) ? old : [], schema), byKey: null }
}

/** Pauses after each step. */
function collected(items: OldItems): ReadonlyMap<string, JsonObject> {
  while (items.byKey === null) {
    const { done, value } = items.steps.next()
    if (done === true) items.byKey = value
    else pause()
  }
  return items.byKey
}

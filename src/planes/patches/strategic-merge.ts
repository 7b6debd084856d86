import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { Schema } from '../model/schema.ts'
import { OBJECT_META_SCHEMA } from '../schemas/object-meta-schema.ts'
import { applyElementOrder } from './element-order.ts'
import { mergeList, removeItems } from './merge-list.ts'
import { malformedPatch, patchDoesNotFit } from './patch-failure.ts'
import { type PatchRules, patchRulesOf } from './patch-rules.ts'
import {
  DELETE_ITEMS,
  DIRECTIVE,
  ELEMENT_ORDER,
  plainFields,
  RETAIN_KEYS,
  retainedFields,
  withoutDirectives,
} from './strategic-directives.ts'

/** The fields of an object during a merge. */
type Draft = Map<string, JsonValue>

/** Applies a strategic merge patch to a copy of an object with this schema. */
export function strategicMergePatch(
  current: JsonObject,
  patch: JsonObject,
  schema: Schema,
): JsonObject {
  const properties = { ...schema.properties, metadata: OBJECT_META_SCHEMA }
  return mergeObject(current, patch, { ...schema, properties })
}

function mergeObject(current: JsonObject, patch: JsonObject, schema?: Schema): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) return replaceObject(patch)
  const draft: Draft = new Map(retainedFields(current, patch))
  const ordered = mergeOrderedLists(draft, patch, schema)
  const fields = Object.entries(patch)
  for (const [name, value] of fields) {
    if (name === RETAIN_KEYS || ordered.has(name)) continue
    if (name.startsWith(ELEMENT_ORDER) || name.startsWith(DELETE_ITEMS)) continue
    setField(draft, name, mergedField(draft.get(name), value, patchRulesOf(schema, name)))
  }
  for (const [name, value] of fields) {
    if (name.startsWith(DELETE_ITEMS)) removeFrom(draft, name.slice(DELETE_ITEMS.length), value)
  }
  return Object.fromEntries(draft)
}

function replaceObject(patch: JsonObject): JsonObject {
  const directive = patch[DIRECTIVE]
  if (directive === 'delete') return {}
  if (directive === 'replace') return plainFields(patch)
  throw patchDoesNotFit(`unknown patch type: ${JSON.stringify(directive)}`)
}

/** Merges the lists with a `$setElementOrder`. Returns the names of the merged fields. */
function mergeOrderedLists(draft: Draft, patch: JsonObject, schema?: Schema): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [directive, order] of Object.entries(patch)) {
    if (!directive.startsWith(ELEMENT_ORDER)) continue
    const name = directive.slice(ELEMENT_ORDER.length)
    const rules = patchRulesOf(schema, name)
    const current = listOrNothing(draft.get(name))
    const change = Object.hasOwn(patch, name) ? listOrNothing(patch[name]) : undefined
    if (current === undefined && change === undefined) continue
    const merged = change === undefined ? current : mergedField(current, change, rules)
    const { mergeKey } = rules
    const list = { current, patch: change, merged: listOrNothing(merged) ?? [], mergeKey }
    draft.set(name, applyElementOrder(order, list))
    names.add(name)
  }
  return names
}

/** The merged value of a field, or undefined if the patch removes the field. */
function mergedField(
  current: JsonValue | undefined,
  patch: JsonValue,
  { schema, strategy, mergeKey }: PatchRules,
): JsonValue | undefined {
  if (patch === null) return undefined
  if (isJsonObject(current) && isJsonObject(patch)) {
    return strategy === 'replace' ? plainFields(patch) : mergeObject(current, patch, schema)
  }
  if (Array.isArray(current) && Array.isArray(patch) && strategy === 'merge') {
    return mergeList(current, patch, { mergeKey, schema: schema?.items, mergeObject })
  }
  return withoutDirectives(patch)
}

function setField(draft: Draft, name: string, value: JsonValue | undefined): void {
  if (value === undefined) draft.delete(name)
  else draft.set(name, value)
}

function removeFrom(draft: Draft, name: string, removed: JsonValue): void {
  if (removed === null) {
    draft.delete(name)
    return
  }
  const current = draft.get(name)
  if (!Array.isArray(removed)) throw malformedPatch('invalid patch format of primitive list')
  if (Array.isArray(current)) draft.set(name, removeItems(current, removed))
}

function listOrNothing(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return value
  throw patchDoesNotFit('expected a list')
}

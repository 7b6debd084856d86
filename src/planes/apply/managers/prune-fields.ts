import type { Steps } from '../../../lib/async/steps.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { difference, type FieldSet, intersection, NO_FIELDS, union } from '../fields/field-set.ts'
import { fieldsOf } from '../typed/fields-of.ts'
import type { FieldType } from '../typed/field-type.ts'
import { withNamedFields } from '../typed/named-fields.ts'
import { removeFields } from '../typed/remove-fields.ts'
import { type FieldWrite, typeInVersion } from './field-write.ts'
import type { Manager, Managers } from './manager.ts'

/**
 * Removes the fields that the applier owned but no longer applies, unless another manager owns
 * them. `managers` has the new fields of the applier, `last` the old ones.
 */
export function* pruneFields(
  merged: JsonObject,
  { last, managers }: { readonly last: Manager | undefined; readonly managers: Managers },
  write: FieldWrite,
): Steps<JsonObject> {
  const type = last === undefined ? null : typeInVersion(write, last.apiVersion)
  if (last === undefined || type === null) return merged
  const owned = fieldsByVersion(managers)
  const isApplied = (fields: FieldSet) => difference(last.fields, fields).size === 0
  if ([...owned.values()].some(isApplied)) return merged

  yield
  const lastFields = yield* withNamedFields(type, last.fields)
  yield
  let pruned = yield* removed(type, merged, lastFields)
  for (const [apiVersion, fields] of lastVersionFirst(owned, last.apiVersion)) {
    const versionType = typeInVersion(write, apiVersion)
    if (versionType !== null) {
      pruned = yield* restoreOwned(versionType, { merged, pruned, fields })
    }
  }
  yield
  const left = yield* namedFieldsOf(type, pruned)
  yield
  const all = yield* namedFieldsOf(type, merged)
  yield
  const gone = difference(all, left)
  yield
  const ended = intersection(gone, lastFields)
  yield
  const result = yield* removed(type, merged, ended)
  // The metadata has fields of the server even if the applied object has none.
  return { ...result, metadata: result['metadata'] ?? merged['metadata'] ?? {} }
}

function fieldsByVersion(managers: Managers): ReadonlyMap<string, FieldSet> {
  const versions = new Map<string, FieldSet>()
  for (const { apiVersion, fields } of managers.values()) {
    versions.set(apiVersion, union(versions.get(apiVersion) ?? NO_FIELDS, fields))
  }
  return versions
}

function lastVersionFirst(owned: ReadonlyMap<string, FieldSet>, apiVersion: string) {
  const isOther = ([version]: [string, FieldSet]) => version !== apiVersion
  return [...owned].toSorted((one, other) => Number(isOther(one)) - Number(isOther(other)))
}

interface Pruning {
  readonly merged: JsonObject
  readonly pruned: JsonObject
  /** Fields that managers own. */
  readonly fields: FieldSet
}

function* restoreOwned(type: FieldType, { merged, pruned, fields }: Pruning): Steps<JsonObject> {
  yield
  const left = yield* namedFieldsOf(type, pruned)
  yield
  const owned = yield* withNamedFields(type, fields)
  yield
  const kept = union(left, owned)
  yield
  const all = yield* namedFieldsOf(type, merged)
  yield
  const rest = difference(all, kept)
  yield
  return yield* removed(type, merged, rest)
}

function* namedFieldsOf(type: FieldType, object: JsonObject): Steps<FieldSet> {
  const fields = yield* fieldsOf(type, object)
  yield
  return yield* withNamedFields(type, fields)
}

function* removed(type: FieldType, object: JsonObject, fields: FieldSet): Steps<JsonObject> {
  const rest = yield* removeFields(type, object, fields)
  return isJsonObject(rest) ? rest : {}
}

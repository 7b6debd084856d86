import { assert } from '../../../lib/assert.ts'
import type { Steps } from '../../../lib/async/steps.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import { fieldsOf } from '../typed/fields-of.ts'
import type { FieldType } from '../typed/field-type.ts'
import { mergeObjects } from '../typed/merge-objects.ts'
import { type FieldWrite, timeOf, trackedPart, writtenVersion } from './field-write.ts'
import { type ManagerId, managerKey, type Managers } from './manager.ts'
import { pruneFields } from './prune-fields.ts'
import { type Conflict, reconcileManagers, releaseFields } from './release-fields.ts'
import { appliedFields, withoutServerFields } from './tracked-fields.ts'
import { changesOf } from './version-comparisons.ts'

interface Application {
  readonly live: JsonObject
  readonly applied: JsonObject
  readonly managers: Managers
  readonly type: FieldType
}

interface Applied {
  readonly object: JsonObject
  readonly managers: Managers
  /** Fields of other managers; the result is only valid if they are forced. */
  readonly conflicts: readonly Conflict[]
}

/** Merges an applied object into the live one, and removes fields that it no longer applies. */
export function* applyFields(
  { live, applied, managers, type }: Application,
  write: FieldWrite,
): Steps<Applied> {
  const id: ManagerId = {
    manager: write.manager === '' ? 'unknown' : write.manager,
    operation: 'Apply',
    apiVersion: writtenVersion(write),
    subresource: write.subresource,
  }
  const key = managerKey(id)
  const known = yield* reconcileManagers(managers, write)
  const last = known.get(key)
  const fields = appliedFields(yield* fieldsOf(type, applied), trackedPart(write))
  const all = new Map(known).set(key, { ...id, fields, time: undefined, entry: null })

  yield
  const merged = yield* mergeObjects(type, live, applied)
  assert(isJsonObject(merged), 'a merged object is an object')
  yield
  const object = yield* pruneFields(merged, { last, managers: all }, write)
  yield
  const released = yield* releaseFields(all, key, changesOf(write, live, object))
  yield
  const owned = withoutServerFields(fields)
  const left = new Map(released.managers)
  if (owned.size === 0) left.delete(key)
  else {
    const time = isSameJson(live, object) ? last?.time : timeOf(write)
    left.set(key, { ...id, fields: owned, time, entry: null })
  }
  return { object, managers: left, conflicts: released.conflicts }
}

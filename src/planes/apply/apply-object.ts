import { badRequest } from '../errors/failures.ts'
import type { ApiObject } from '../model/api-object.ts'
import { assert, must } from '../../lib/assert.ts'
import type { Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { difference } from './fields/field-set.ts'
import { applyConflict } from './managers/apply-conflict.ts'
import { applyFields } from './managers/apply-fields.ts'
import { type FieldWrite, typeInVersion, writtenVersion } from './managers/field-write.ts'
import { KUBECTL, lastAppliedFields, syncLastApplied } from './managers/last-applied.ts'
import { NO_MANAGERS, parseManagers, serializeManagers } from './managers/managed-fields.ts'
import type { Managers } from './managers/manager.ts'
import type { Conflict } from './managers/release-fields.ts'
import { changesOf } from './managers/version-comparisons.ts'
import { updateManagers, withManagedFields } from './track-update.ts'
import type { FieldType } from './typed/field-type.ts'
import { typeProblems } from './typed/type-problems.ts'

/** Owns the fields of an object that was never tracked. */
const BEFORE_APPLY = 'before-first-apply'

/** An object that is applied to the stored one. */
interface Application {
  /** Null if the apply creates the object. */
  readonly live: ApiObject | null
  readonly applied: ApiObject
}

/**
 * Applies an object (server-side apply). Returns the merged object with its managedFields. Throws
 * 409 if other managers own changed fields, unless forced, and 400 if the applied object does not
 * have its type. Each step visits the fields of an object or of a manager a few times.
 */
export function* applyObject(
  { live, applied }: Application,
  write: FieldWrite,
  isForced: boolean,
): Steps<ApiObject> {
  const type = must(typeInVersion(write, writtenVersion(write)), 'a served version has a schema')
  yield* requireApplicable(applied, write, type)
  yield
  const { apiVersion, kind } = applied
  const current: ApiObject = live ?? { apiVersion, kind, metadata: {} }
  const managers = yield* managersOf(live, write)
  yield
  const { object, ...result } = yield* applyFields(
    { live: current, applied, managers, type },
    write,
  )
  yield
  const conflicts = isForced ? [] : blockingConflicts(current, result.conflicts, write)
  if (conflicts.length > 0) throw applyConflict(conflicts)
  assert(isApiObject(object), 'a merged object has metadata')
  const tracked = withManagedFields(object, serializeManagers(result.managers))
  yield
  return write.manager === KUBECTL ? syncLastApplied(tracked, applied) : tracked
}

function* requireApplicable(applied: ApiObject, write: FieldWrite, type: FieldType): Steps<void> {
  const { apiVersion, kind, metadata } = applied
  if (kind !== write.type.kind || apiVersion !== writtenVersion(write)) {
    throw badRequest(`invalid object type: ${apiVersion}, Kind=${kind}`)
  }
  if ((metadata.managedFields ?? null) !== null) {
    throw badRequest('metadata.managedFields must be nil')
  }
  const problems = yield* typeProblems(type, applied)
  if (problems.length === 0) return
  const name = `${metadata.namespace ?? ''}/${metadata.name ?? ''}; ${apiVersion}, Kind=${kind}`
  const listed = problems.length === 1 ? problems.join('') : `errors:\n  ${problems.join('\n  ')}`
  throw badRequest(`failed to create typed patch object (${name}): ${listed}`)
}

/** The managers before the apply. One owns all fields if the object was never tracked. */
function* managersOf(live: ApiObject | null, write: FieldWrite): Steps<Managers> {
  const managers = parseManagers(live?.metadata.managedFields) ?? NO_MANAGERS
  if (live === null || managers.size > 0) return managers
  const before = { ...write, manager: BEFORE_APPLY }
  return yield* updateManagers(NO_MANAGERS, before, changesOf(before, {}, live))
}

/** Without the fields that kubectl takes over from client-side apply. */
function blockingConflicts(
  live: ApiObject,
  conflicts: readonly Conflict[],
  write: FieldWrite,
): readonly Conflict[] {
  const type = typeInVersion(write, writtenVersion(write))
  if (write.manager !== KUBECTL || type === null || conflicts.length === 0) return conflicts
  const allowed = lastAppliedFields(live, type)
  return conflicts
    .map((conflict) => ({ ...conflict, fields: difference(conflict.fields, allowed) }))
    .filter(({ fields }) => fields.size > 0)
}

function isApiObject(object: JsonObject): object is ApiObject {
  const { apiVersion, kind, metadata } = object
  return typeof apiVersion === 'string' && typeof kind === 'string' && isJsonObject(metadata)
}

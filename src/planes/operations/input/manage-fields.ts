import { type Steps, stepsInTurns } from '../../../lib/async/steps.ts'
import { keepTimesIfUnchanged } from '../../apply/keep-times.ts'
import type { FieldWrite } from '../../apply/managers/field-write.ts'
import { trackUpdate } from '../../apply/track-update.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import { objectInvalid } from '../../errors/failures.ts'
import { managerNameErrors } from '../../apply/manager-name.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Target, WriteOptions } from '../../model/object-operations.ts'

interface Write {
  readonly target: Target
  readonly options: WriteOptions
  readonly now: Date
  /** Whether the object already has the managed fields of an apply. */
  readonly isApply?: boolean
}

/**
 * Records the writer as the manager of the fields that it changes. `old` is null for creations. A
 * write that changes nothing keeps the times of the managers. Other requests run between the steps
 * for a large object.
 */
export async function manageFields(
  write: Write,
  old: ApiObject | null,
  next: ApiObject,
): Promise<ApiObject> {
  return await stepsInTurns(managedInSteps(write, old, next))
}

function* managedInSteps(write: Write, old: ApiObject | null, next: ApiObject): Steps<ApiObject> {
  yield
  const managed =
    write.isApply === true
      ? next
      : yield* trackUpdate(old, withOldFields(next, old), fieldWrite(write))
  if (old === null) return managed
  yield
  return yield* keepTimesIfUnchanged(old, managed)
}

/**
 * Input without managed fields leaves them as they are. Equal ones are replaced by the old ones, so
 * that the next step need not compare them again.
 */
function withOldFields(next: ApiObject, old: ApiObject | null): ApiObject {
  const managedFields = old?.metadata.managedFields
  const sent = next.metadata.managedFields
  if (managedFields === undefined || sent === managedFields) return next
  if (sent !== undefined && !isSameJson(sent, managedFields)) return next
  return { ...next, metadata: { ...next.metadata, managedFields } }
}

/** The write in the terms of field management. */
function fieldWrite({ target, options, now }: Write): FieldWrite {
  const { type, version, subresource } = target
  return { manager: options.fieldManager ?? '', type, version, subresource, now }
}

/** The write of an apply. 422 if the name of the manager is invalid. */
export function applyWrite(write: Write): FieldWrite {
  const { type } = write.target
  const errors = managerNameErrors(write.options.fieldManager ?? '')
  if (errors.length > 0) throw objectInvalid(type, write.target.name, errors)
  return fieldWrite(write)
}

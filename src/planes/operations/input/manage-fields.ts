import { yieldMainThread } from '../../../lib/tracing/main-thread.ts'
import { keepTimesIfUnchanged } from '../../apply/keep-times.ts'
import type { FieldWrite } from '../../apply/managers/field-write.ts'
import { trackInSteps } from '../../apply/track-update.ts'
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

interface SizedWrite extends Write {
  /** The least bytes of the object. */
  readonly bytes: number
}

/** Objects with more bytes are tracked in several turns of the event loop. */
const LARGE_BYTES = 128 * 1024

/**
 * Records the writer as the manager of the fields that it changes. `old` is null for creations. A
 * write that changes nothing keeps the times of the managers. Other requests run between the steps
 * for a large object.
 */
export async function manageFields(
  write: SizedWrite,
  old: ApiObject | null,
  next: ApiObject,
): Promise<ApiObject> {
  const isLarge = write.bytes > LARGE_BYTES
  if (isLarge) await yieldMainThread()
  const managed = write.isApply === true ? next : await track(write, old, next, isLarge)
  if (old === null) return managed
  if (isLarge) await yieldMainThread()
  return keepTimesIfUnchanged(old, managed)
}

async function track(
  write: Write,
  old: ApiObject | null,
  next: ApiObject,
  isLarge: boolean,
): Promise<ApiObject> {
  const steps = trackInSteps(old, withOldFields(next, old), fieldWrite(write))
  for (;;) {
    const { done, value } = steps.next()
    if (isLarge) await yieldMainThread()
    if (done === true) return value
  }
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

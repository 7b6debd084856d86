import type { Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import { isSameJson } from '../../lib/json/same-json.ts'
import type { ApiObject, ManagedFieldsEntry } from '../model/api-object.ts'
import { type FieldSet, NO_FIELDS, union } from './fields/field-set.ts'
import { capUpdaters } from './managers/cap-updaters.ts'
import { type FieldWrite, timeOf, writtenVersion } from './managers/field-write.ts'
import { NO_MANAGERS, parseManagers, serializeManagers } from './managers/managed-fields.ts'
import { type ManagerId, managerKey, type Managers } from './managers/manager.ts'
import { quickUpdate } from './managers/quick-update.ts'
import { reconcileManagers, releaseFields } from './managers/release-fields.ts'
import { type ChangesIn, changesOf, isUnchanged } from './managers/version-comparisons.ts'

/** The key of no manager. */
const NO_WRITER = ''

/**
 * Returns the written object with the managedFields after a write that is not an apply. `live` is
 * the object before, null if the write creates it. Objects without managedFields stay without them
 * until they are applied. Each step visits the fields of an object or of a manager a few times.
 */
export function* trackUpdate(
  live: ApiObject | null,
  object: ApiObject,
  write: FieldWrite,
): Steps<ApiObject> {
  const changesIn = changesOf(write, live ?? {}, object)
  yield* changesIn(writtenVersion(write))
  yield
  return withManagedFields(object, yield* managedFieldsAfter({ live, object, changesIn }, write))
}

/** Replaces the managedFields of an object. */
export function withManagedFields(
  object: ApiObject,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): ApiObject {
  const { managedFields: _old, ...metadata } = object.metadata
  const hasManagers = managedFields !== undefined && managedFields.length > 0
  return { ...object, metadata: hasManagers ? { ...metadata, managedFields } : metadata }
}

interface Update {
  readonly live: ApiObject | null
  readonly object: ApiObject
  readonly changesIn: ChangesIn
}

function* managedFieldsAfter(
  { live, object, changesIn }: Update,
  write: FieldWrite,
): Steps<readonly ManagedFieldsEntry[] | undefined> {
  const changes = yield* changesIn(writtenVersion(write))
  const current = live?.metadata.managedFields
  const sent = write.subresource === '' ? object.metadata.managedFields : undefined
  const isSent = sent !== undefined && !isSameJson(sent, current)
  if (!isSent && changes !== null && isUnchanged(changes)) return current
  if (!isSent && current !== undefined && changes !== null) {
    const updated = yield* quickUpdate(current, { writer: writerOf(write), write }, changes)
    if (updated !== null) return updated
  }
  const managers = isSent ? sentManagers(sent, current) : (parseManagers(current) ?? NO_MANAGERS)
  if (managers.size === 0 && live !== null) return undefined
  yield
  const updated = yield* updateManagers(managers, write, changesIn)
  yield
  return serializeManagers(updated)
}

/** The managers after an update with these changes. */
export function* updateManagers(
  managers: Managers,
  write: FieldWrite,
  changesIn: ChangesIn,
): Steps<Managers> {
  const changes = yield* changesIn(writtenVersion(write))
  const written = changes === null ? NO_FIELDS : union(changes.added, changes.modified)
  yield
  const known = yield* reconcileManagers(managers, write)
  const released = yield* releaseFields(known, NO_WRITER, changesIn)
  if (written.size === 0) return released.managers
  yield
  return capUpdaters(addFields(released.managers, written, write))
}

function addFields(managers: Managers, written: FieldSet, write: FieldWrite): Managers {
  const id = writerOf(write)
  const key = managerKey(id)
  const fields = union(managers.get(key)?.fields ?? NO_FIELDS, written)
  return new Map(managers).set(key, { ...id, fields, time: timeOf(write), entry: null })
}

function writerOf(write: FieldWrite): ManagerId {
  return {
    manager: write.manager === '' ? 'unknown' : write.manager,
    operation: 'Update',
    apiVersion: writtenVersion(write),
    subresource: write.subresource,
  }
}

/**
 * The managers that the input states: an empty list or one empty entry removes all. Invalid or
 * missing entries leave the current ones.
 */
function sentManagers(sent: JsonValue, current: JsonValue | undefined): Managers {
  if (Array.isArray(sent) && isReset(sent)) return NO_MANAGERS
  const managers = parseManagers(sent)
  if (managers !== null && managers.size > 0) return managers
  return parseManagers(current) ?? NO_MANAGERS
}

function isReset(entries: readonly JsonValue[]): boolean {
  const [first] = entries
  if (entries.length === 0) return true
  return entries.length === 1 && isJsonObject(first) && Object.keys(first).length === 0
}

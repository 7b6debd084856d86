import { isJsonObject, type JsonObject } from '../../../../lib/json/json.ts'
import type { ManagedFieldsEntry } from '../../model/api-object.ts'
import { difference, type FieldSet, NO_FIELDS, union } from '../fields/field-set.ts'
import { parseFields, serializeFields } from '../fields/fields-v1.ts'
import type { Comparison } from '../typed/compare-objects.ts'
import { MAX_UPDATERS } from './cap-updaters.ts'
import type { FieldType } from '../typed/field-type.ts'
import { reconcileFields } from '../typed/reconcile-fields.ts'
import { type FieldWrite, timeOf, typeInVersion } from './field-write.ts'
import { compareEntries, entryOf } from './managed-fields.ts'
import type { ManagerId } from './manager.ts'

type Entries = readonly ManagedFieldsEntry[]

/**
 * The entries after an update. Only affected entries are parsed. Null if the general path must
 * decide, because entries are in another version, or because there are too many.
 */
export function quickUpdate(
  entries: Entries,
  writer: ManagerId,
  write: FieldWrite,
  changes: Comparison,
): Entries | null {
  const type = typeInVersion(write, writer.apiVersion)
  if (type === null || entries.some(({ apiVersion }) => apiVersion !== writer.apiVersion)) {
    return null
  }
  const written = union(changes.added, changes.modified)
  const update = { type, written, changed: union(written, changes.removed), ...changes }
  const own = entries.find((entry) => isEntryOf(entry, writer))
  const others = entries
    .filter((entry) => entry !== own)
    .flatMap((entry) => releasedEntry(entry, update))
  const updaters = others.filter(({ operation }) => operation === 'Update')
  if (own === undefined && updaters.length >= MAX_UPDATERS) return null
  const owned = own === undefined ? [] : releasedOwnEntry(own, update)
  const current = written.size === 0 ? owned : [writtenEntry(own, update, { writer, write })]
  return [...others, ...current].toSorted(compareEntries)
}

interface Update {
  readonly type: FieldType
  /** Added and modified fields. */
  readonly written: FieldSet
  readonly removed: FieldSet
  /** Written and removed fields. */
  readonly changed: FieldSet
}

/** The entry of another manager without the changed fields; nothing if it has no others. */
function releasedEntry(entry: ManagedFieldsEntry, { type, changed }: Update): Entries {
  return touches(entry.fieldsV1, changed) ? entryWithout(entry, type, changed) : [entry]
}

function releasedOwnEntry(entry: ManagedFieldsEntry, { type, removed }: Update): Entries {
  return touches(entry.fieldsV1, removed) ? entryWithout(entry, type, removed) : [entry]
}

function entryWithout(entry: ManagedFieldsEntry, type: FieldType, fields: FieldSet): Entries {
  const owned = reconcileFields(type, parseFields(entry.fieldsV1))
  const rest = difference(owned, fields)
  if (rest === owned) return [entry]
  return rest.size === 0 ? [] : [{ ...entry, fieldsV1: serializeFields(rest) }]
}

/** The entry of the writer with the written fields. */
function writtenEntry(
  own: ManagedFieldsEntry | undefined,
  { type, written, removed }: Update,
  { writer, write }: { readonly writer: ManagerId; readonly write: FieldWrite },
): ManagedFieldsEntry {
  if (own !== undefined && containsAll(own.fieldsV1, written) && !touches(own.fieldsV1, removed)) {
    return { ...own, time: timeOf(write) }
  }
  const owned = own === undefined ? NO_FIELDS : reconcileFields(type, parseFields(own.fieldsV1))
  const fields = union(difference(owned, removed), written)
  return entryOf({ ...writer, time: timeOf(write) }, serializeFields(fields))
}

function isEntryOf(
  { manager = '', operation, apiVersion, subresource = '' }: ManagedFieldsEntry,
  writer: ManagerId,
): boolean {
  return (
    operation === writer.operation &&
    manager === writer.manager &&
    apiVersion === writer.apiVersion &&
    subresource === writer.subresource
  )
}

/** Whether a field of the set, or a field below it, is owned. */
function touches(owned: JsonObject, fields: FieldSet): boolean {
  for (const [element, { isMember, children }] of fields) {
    const found = owned[element]
    if (found === undefined) continue
    if (isMember || (isJsonObject(found) && touches(found, children))) return true
  }
  return false
}

/** Whether all fields of the set are owned. */
function containsAll(owned: JsonObject, fields: FieldSet): boolean {
  for (const [element, { isMember, children }] of fields) {
    const found = owned[element]
    if (!isJsonObject(found)) return false
    if (isMember && !ownsItself(found)) return false
    if (!containsAll(found, children)) return false
  }
  return true
}

function ownsItself(field: JsonObject): boolean {
  return Object.hasOwn(field, '.') || Object.keys(field).length === 0
}

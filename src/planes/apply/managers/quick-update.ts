import type { Steps } from '../../../lib/async/steps.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import type { ManagedFieldsEntry } from '../../model/api-object.ts'
import { type FieldSet, NO_FIELDS, union } from '../fields/field-set.ts'
import { serializeFields } from '../fields/fields-v1.ts'
import type { Comparison } from '../typed/compare-objects.ts'
import { MAX_UPDATERS } from './cap-updaters.ts'
import { editFields, type FieldEdit } from '../typed/edit-fields.ts'
import type { FieldType } from '../typed/field-type.ts'
import { type FieldWrite, timeOf, typeInVersion } from './field-write.ts'
import { compareEntries, entryOf } from './managed-fields.ts'
import type { ManagerId } from './manager.ts'

type Entries = readonly ManagedFieldsEntry[]

/**
 * The entries after an update, in a step for each one that changes. Only affected entries are changed,
 * in their serialized form. Null if the general path must decide, because entries are in another
 * version or not canonical, or because there are too many.
 */
export function* quickUpdate(
  entries: Entries,
  { writer, write }: { readonly writer: ManagerId; readonly write: FieldWrite },
  changes: Comparison,
): Steps<Entries | null> {
  const type = typeInVersion(write, writer.apiVersion)
  if (type === null || entries.some(({ apiVersion }) => apiVersion !== writer.apiVersion)) {
    return null
  }
  const { removed } = changes
  const written = union(changes.added, changes.modified)
  yield
  const changed = union(written, removed)
  yield
  const own = entries.find((entry) => isEntryOf(entry, writer))
  const updated: ManagedFieldsEntry[] = []
  for (const entry of entries) {
    const edit =
      entry === own ? { removed, added: written } : { removed: changed, added: NO_FIELDS }
    const edited = editedEntry(entry, type, edit)
    if (edited === null) return null
    if (edited !== entry) yield
    const isWriter = entry === own && written.size > 0
    if (Object.keys(edited.fieldsV1).length > 0) {
      updated.push(isWriter ? { ...edited, time: timeOf(write) } : edited)
    }
  }
  if (own === undefined && written.size > 0) {
    if (updated.filter(({ operation }) => operation === 'Update').length >= MAX_UPDATERS)
      return null
    updated.push(entryOf({ ...writer, time: timeOf(write) }, serializeFields(written)))
  }
  return updated.toSorted(compareEntries)
}

/** The entry after a change of its fields. Null if its fields are not canonical. */
function editedEntry(
  entry: ManagedFieldsEntry,
  type: FieldType,
  edit: FieldEdit,
): ManagedFieldsEntry | null {
  if (!touches(entry.fieldsV1, edit.removed) && containsAll(entry.fieldsV1, edit.added))
    return entry
  const fieldsV1 = editFields(type, entry.fieldsV1, edit)
  return fieldsV1 === null ? null : { ...entry, fieldsV1 }
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

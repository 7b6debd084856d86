import { compareText } from '../../../lib/text/compare-text.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { ManagedFieldsEntry } from '../../model/api-object.ts'
import { type FieldSet, NO_FIELDS } from '../fields/field-set.ts'
import { parseFields, serializeFields } from '../fields/fields-v1.ts'
import { type Manager, type ManagerId, managerKey, type Managers } from './manager.ts'

/** RFC 3339. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/** No managers. */
export const NO_MANAGERS: Managers = new Map()

/** Parses managedFields, also from input that is not validated. Null if an entry is invalid. */
export function parseManagers(entries: JsonValue | undefined): Managers | null {
  if (entries === undefined || entries === null) return NO_MANAGERS
  if (!Array.isArray(entries)) return null
  const managers = new Map<string, Manager>()
  for (const entry of entries) {
    const manager = parseEntry(entry)
    if (manager === null) return null
    managers.set(managerKey(manager), manager)
  }
  return managers
}

function parseEntry(entry: JsonValue): Manager | null {
  if (!isJsonObject(entry)) return null
  const { operation, fieldsType, time = null, fieldsV1 = null } = entry
  const apiVersion = textOf(entry['apiVersion'])
  const manager = textOf(entry['manager'])
  const subresource = textOf(entry['subresource'])
  const fields = fieldsOfEntry(fieldsV1)
  if (operation !== 'Apply' && operation !== 'Update') return null
  if (fieldsType !== 'FieldsV1' || fields === null || apiVersion === null || apiVersion === '')
    return null
  if (manager === null || subresource === null || !isTime(time)) return null
  const id: ManagerId = { manager, operation, apiVersion, subresource }
  const owner = { ...id, fields, time: time ?? undefined }
  return { ...owner, entry: entryOf(owner, isJsonObject(fieldsV1) ? fieldsV1 : {}) }
}

function isTime(time: JsonValue): time is string | null {
  return time === null || (typeof time === 'string' && TIME.test(time))
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : null
}

function fieldsOfEntry(value: JsonValue): FieldSet | null {
  if (value === null) return NO_FIELDS
  if (!isJsonObject(value)) return null
  try {
    return parseFields(value)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Serializes managers in Kubernetes' order. */
export function serializeManagers(managers: Managers): readonly ManagedFieldsEntry[] {
  return [...managers.values()].map(serializeManager).toSorted(compareEntries)
}

/** Kubernetes' order of entries: by operation, time, name, version and subresource. */
export function compareEntries(one: ManagedFieldsEntry, other: ManagedFieldsEntry): number {
  return (
    compareText(one.operation, other.operation) ||
    secondsOf(one.time) - secondsOf(other.time) ||
    compareText(one.manager ?? '', other.manager ?? '') ||
    compareText(one.apiVersion, other.apiVersion) ||
    compareText(one.subresource ?? '', other.subresource ?? '')
  )
}

/** The time in seconds; 0 if it is absent or malformed. */
export function secondsOf(time: string | undefined): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time)
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000)
}

function serializeManager(owner: Manager): ManagedFieldsEntry {
  return owner.entry ?? entryOf(owner, serializeFields(owner.fields))
}

/** The entry of a manager with these fields in the format FieldsV1. */
export function entryOf(
  owner: Omit<Manager, 'entry' | 'fields'>,
  fieldsV1: JsonObject,
): ManagedFieldsEntry {
  const { manager, operation, apiVersion, time, subresource } = owner
  return {
    ...(manager !== '' && { manager }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource !== '' && { subresource }),
  }
}

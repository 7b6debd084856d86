import type { ManagedFieldsEntry } from '../../model/api-object.ts'
import type { FieldSet } from '../fields/field-set.ts'

/** Who writes fields: one entry of managedFields. */
export interface ManagerId {
  /** May be empty. */
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  /** Empty for the resource itself. */
  readonly subresource: string
}

/** A manager and its fields. */
export interface Manager extends ManagerId {
  readonly fields: FieldSet
  /** Absent if the manager has never changed the object. */
  readonly time: string | undefined
  /** The entry from which the manager was parsed; null if its fields have changed since. */
  readonly entry: ManagedFieldsEntry | null
}

/** The managers of an object by their key. */
export type Managers = ReadonlyMap<string, Manager>

/**
 * The key of a manager. Appliers have one entry for all API versions, because a new version
 * replaces the fields of the old one.
 */
export function managerKey({ manager, operation, apiVersion, subresource }: ManagerId): string {
  return JSON.stringify({
    ...(manager !== '' && { manager }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== '' && { subresource }),
  })
}

/** The manager with other fields. */
export function withFields(manager: Manager, fields: FieldSet): Manager {
  return fields === manager.fields ? manager : { ...manager, fields, entry: null }
}

import type { Steps } from '../../../lib/async/steps.ts'
import { difference, type FieldSet, intersection, union } from '../fields/field-set.ts'
import { reconcileFields } from '../typed/reconcile-fields.ts'
import { type FieldWrite, typeInVersion } from './field-write.ts'
import { type Manager, type Managers, withFields } from './manager.ts'
import type { ChangesIn } from './version-comparisons.ts'

/** Fields of another manager that a write changes. */
export interface Conflict {
  readonly manager: Manager
  readonly key: string
  readonly fields: FieldSet
}

interface Released {
  /** Managers that still own fields. */
  readonly managers: Managers
  readonly conflicts: readonly Conflict[]
}

/**
 * Takes changed and removed fields from all managers except the writer. Managers in an unknown API
 * version are dropped. Each step visits the fields of a manager once.
 */
export function* releaseFields(
  managers: Managers,
  writer: string,
  changesIn: ChangesIn,
): Steps<Released> {
  const kept = new Map<string, Manager>()
  const conflicts: Conflict[] = []
  for (const [key, manager] of managers) {
    const changes = key === writer ? null : yield* changesIn(manager.apiVersion)
    yield
    if (key !== writer && changes === null) continue
    let { fields } = manager
    if (changes !== null) {
      const written = union(changes.added, changes.modified)
      yield
      const taken = intersection(fields, written)
      if (taken.size > 0) conflicts.push({ manager, key, fields: taken })
      yield
      fields = difference(fields, taken)
      yield
      fields = difference(fields, changes.removed)
    }
    if (fields.size > 0) kept.set(key, withFields(manager, fields))
  }
  return { managers: kept, conflicts }
}

/** Adapts the fields of all managers to changes of the schemas, in a step for each manager. */
export function* reconcileManagers(managers: Managers, write: FieldWrite): Steps<Managers> {
  const reconciled = new Map<string, Manager>()
  for (const [key, manager] of managers) {
    const type = typeInVersion(write, manager.apiVersion)
    if (type === null) continue
    reconciled.set(key, withFields(manager, reconcileFields(type, manager.fields)))
    yield
  }
  return reconciled
}

import { must } from '../lib/assert.ts'
import type { LoggedChange } from '../store/changes/logged-change.ts'
import { type ConditionDifference, conditionDifferences } from './condition-differences.ts'

export type HistoryType = 'created' | 'updated' | 'deleted' | 'removed' | 'reported'

/** A field of a resource that a change can name. */
export type ChangedField =
  | 'spec'
  | 'labels'
  | 'annotations'
  | 'references'
  | 'conditions'
  | 'statuses'

/** One change as people see it: a write of a resource, or a report with the conditions it caused. */
export interface HistoryEntry<Row extends LoggedChange = LoggedChange> {
  readonly type: HistoryType
  /** The newest row of the change. */
  readonly revision: bigint
  /** The oldest row of the change, after which the next page begins. */
  readonly oldestRevision: bigint
  /** The user, or the adapter of a report; '' if the log does not contain it. */
  readonly by: string
  readonly fields: readonly ChangedField[]
  readonly conditions: readonly ConditionDifference[]
  /** The row of the resource; of a report if the resource did not change. */
  readonly row: Row
}

/** The entry of a single row. */
export function historyEntry<Row extends LoggedChange>(row: Row): HistoryEntry<Row> {
  const { revision, adapter } = row
  const place = { revision, oldestRevision: revision, row }
  if (adapter !== '') {
    return { ...place, type: 'reported', by: adapter, fields: ['statuses'], conditions: [] }
  }
  const conditions =
    row.old_conditions === null
      ? []
      : conditionDifferences(row.old_conditions, must(row.conditions, 'conditions'))
  const declared = declaredFields(row)
  const type = typeOf(row, declared.length > 0)
  const fields: ChangedField[] = [
    ...declared,
    ...(conditions.length > 0 ? ['conditions' as const] : []),
  ]
  return { ...place, type, by: authorOf(row, type), fields, conditions }
}

function declaredFields(row: LoggedChange): readonly ChangedField[] {
  if (row.type === 'DELETED') return []
  return [
    ...(row.has_new_spec ? ['spec' as const] : []),
    ...(row.has_new_labels ? ['labels' as const] : []),
    ...(row.has_new_annotations ? ['annotations' as const] : []),
    ...(row.has_new_references ? ['references' as const] : []),
  ]
}

/** Only reports change nothing but conditions. */
function typeOf(row: LoggedChange, isDeclared: boolean): HistoryType {
  if (row.type === 'ADDED') return 'created'
  if (row.type === 'DELETED') return 'removed'
  if (row.deleted_time !== null && row.old_deleted_time === null) return 'deleted'
  return isDeclared ? 'updated' : 'reported'
}

function authorOf(row: LoggedChange, type: HistoryType): string {
  switch (type) {
    case 'created':
      return row.created_by ?? ''
    case 'updated':
      return row.updated_by ?? ''
    case 'deleted':
      return row.deleted_by ?? ''
    case 'removed':
    case 'reported':
      return ''
  }
}

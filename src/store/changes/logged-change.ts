import type { JsonObject } from '../../lib/json/json.ts'
import type { ResourceCondition } from '../model/condition.ts'
import type { ChangeType } from '../model/change.ts'

/** A row of the log as history shows it. Values that did not change are null. */
export interface LoggedChange {
  readonly revision: bigint
  readonly type: ChangeType
  readonly written_time: Date
  readonly resource_id: string
  /** '' unless the row is a report. */
  readonly adapter: string
  /** For a report, the generation that the adapter observed. */
  readonly generation: number
  /** For a report of a resource that no longer exists, these three are null. */
  readonly kind: string | null
  readonly tenant: string | null
  readonly name: string | null
  readonly owner_id: string | null
  readonly conditions: readonly ResourceCondition[] | null
  readonly old_conditions: readonly ResourceCondition[] | null
  readonly created_by: string | null
  readonly updated_by: string | null
  readonly deleted_by: string | null
  readonly deleted_time: Date | null
  readonly old_deleted_time: Date | null
  readonly last_report_time: Date | null
  readonly has_new_spec: boolean
  readonly has_new_labels: boolean
  readonly has_new_annotations: boolean
  readonly has_new_references: boolean
}

/** A row with the values before and after the change. */
export interface DetailedChange extends LoggedChange {
  readonly spec: JsonObject | null
  readonly old_spec: JsonObject | null
  readonly labels: JsonObject | null
  readonly old_labels: JsonObject | null
}

/** The select list of a LoggedChange from `changes`, left joined with `resources` for reports. */
export const LOGGED_COLUMNS = `
  changes.revision, changes.type, changes.written_time, changes.resource_id, changes.adapter,
  changes.generation,
  coalesce(changes.kind, resources.kind) as kind,
  case when changes.kind is null then resources.tenant else changes.tenant end as tenant,
  coalesce(changes.name, resources.name) as name,
  coalesce(changes.owner_id, resources.owner_id) as owner_id,
  case when changes.adapter = '' then changes.conditions end as conditions,
  changes.old_conditions, changes.created_by, changes.updated_by, changes.deleted_by,
  changes.deleted_time, changes.old_deleted_time, changes.last_report_time,
  changes.type = 'ADDED' and changes.adapter = ''
    or changes.old_spec is distinct from changes.spec and changes.old_spec is not null
    as has_new_spec,
  changes.type = 'ADDED' and changes.labels <> '{}'
    or changes.old_labels is distinct from changes.labels and changes.old_labels is not null
    as has_new_labels,
  changes.type = 'ADDED' and changes.annotations <> '{}'
    or changes.old_annotations is distinct from changes.annotations
      and changes.old_annotations is not null
    as has_new_annotations,
  changes.type = 'ADDED' and changes.refs <> '{}'
    or changes.old_refs is distinct from changes.refs and changes.old_refs is not null
    as has_new_references`

/** Reports disappear with their resource, which needs no separate entry. */
export const IS_SHOWN = `not (changes.adapter <> '' and changes.type = 'DELETED')`

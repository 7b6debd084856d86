import { must } from '../../../lib/assert.ts'
import type { StoredCondition } from '../../model/status-record.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { ReadResource } from '../../model/resource.ts'
import type { TenantScope } from '../../model/tenant.ts'
import {
  STATUS_SUMMARY_FIELDS,
  type StatusSummaryColumn,
  statusSummaryOf,
} from '../status-records/summary-column.ts'
import type { Database } from '../database/database.ts'
import type { VersionedStatus } from '../status-records/list-status-records.ts'
import { isStorableText } from '../database/storable-text.ts'
import { READ_COLUMNS, type ReadRow, resourceOf } from '../resources/resource-row.ts'

/**
 * Everything is of one snapshot: the tree, the end of the log, and whether changes that the tree
 * may have already still wait for their place in the log. An id goes before a name. `offset 0`
 * keeps the look-ups what they are: the plan of a prepared statement may be older than the
 * statistics, and would go through all resources.
 */
const READ_SUBTREE = {
  name: 'read_subtree',
  text: `
    with recursive tree as (
      select member from (
        (
          select id as member, 1 as rank from resources
          where id = $2::text and kind = $1::text and owner_id = ''
            and ($3::text is null or tenant = $3::text)
          union all
          select id, 2 from resources
          where tenant = coalesce($3::text, '') and kind = $1::text and owner_id = '' and name = $2::text
            and deleted_time is null
        )
        order by rank limit 1
      ) as root
      union all
      select child.id
      from tree cross join lateral (
        select id from resources where owner_id = member and owner_id <> '' offset 0
      ) as child
    )
    select head.epoch, head.revision as head_revision,
      (select id from outbox order by id limit 1) is not null as changes_wait, found.*
    from head left join (
      select resource.*
      from tree cross join lateral (
        select ${READ_COLUMNS}, (
          select json_agg(json_build_object(${STATUS_SUMMARY_FIELDS},
            'revision', revision, 'conditions', conditions, 'data', data, 'metadata', metadata))
          from adapter_statuses where resource_id = resources.id
        ) as reports
        from resources where id = member offset 0
      ) as resource
    ) as found on true`,
}

/** A resource with all reports on it. */
export interface SubtreeNode {
  readonly resource: ReadResource
  readonly reports: readonly VersionedStatus[]
}

/** A root and all below it at one moment. */
export interface LoadedSubtree {
  readonly epoch: string
  /** Every change up to here is in it. */
  readonly revision: bigint
  /** Whether changes beyond the revision are perhaps in it too. */
  readonly isAhead: boolean
  /** In no order; empty where there is no such root. */
  readonly nodes: readonly SubtreeNode[]
}

interface ReportColumn extends StatusSummaryColumn {
  readonly revision: number
  readonly conditions: readonly StoredCondition[]
  readonly data: JsonObject
  readonly metadata: JsonObject | null
}

interface HeadColumns {
  readonly epoch: string
  readonly head_revision: bigint
  readonly changes_wait: boolean
}

interface NodeRow extends ReadRow {
  readonly reports: readonly ReportColumn[] | null
}

type Row = HeadColumns & (NodeRow | { readonly id: null })

/** How a request names a root. */
export interface RootName {
  /** Names are unique within a tenant: without a limit, a name is one of NO_TENANT. */
  readonly tenant: TenantScope
  readonly kind: string
  /** The id, or the name of a live root. */
  readonly idOrName: string
}

/** Reads the tree of a root. */
export async function readSubtree(
  database: Database,
  { tenant, kind, idOrName }: RootName,
): Promise<LoadedSubtree> {
  const text = isStorableText(idOrName) ? idOrName : ''
  const rows = await database.execute<Row>(READ_SUBTREE, [kind, text, tenant])
  const { epoch, head_revision: revision, changes_wait: isAhead } = must(rows[0], 'the head')
  const nodes = rows.flatMap((row) => (row.id === null ? [] : [nodeOf(row)]))
  return { epoch, revision, isAhead, nodes }
}

function nodeOf(row: NodeRow): SubtreeNode {
  return { resource: resourceOf(row), reports: (row.reports ?? []).map(reportOf) }
}

function reportOf(column: ReportColumn): VersionedStatus {
  const { revision, conditions, data, metadata } = column
  return {
    status: { ...statusSummaryOf(column), conditions, data, metadata },
    rowVersion: BigInt(revision),
  }
}

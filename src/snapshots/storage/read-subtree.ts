import { must } from '../../lib/assert.ts'
import type { ReadResource } from '../../store/model/resource.ts'
import type { TenantScope } from '../../access/tenant.ts'
import {
  STATUS_RECORDS,
  type StatusRecordColumn,
  type VersionedStatus,
  versionedStatusOf,
} from '../../store/status-records/record-column.ts'
import type { Database } from '../../store/database/database.ts'
import { isStorableText } from '../../store/database/storable-text.ts'
import { READ_COLUMNS, type ReadRow, resourceOf } from '../../store/resources/resource-row.ts'

/**
 * Reads in one snapshot: the subtree, the head of the log, and whether the outbox has changes,
 * which the subtree may already include. An id takes precedence over a name. `offset 0` forces
 * look-ups by index: the plan of a prepared statement may predate the statistics, and would scan
 * all resources.
 */
const READ_SUBTREE = {
  name: 'read_subtree',
  text: `
    with recursive tree as (
      select node from (
        (
          select id as node, 1 as rank from resources
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
        select id from resources where owner_id = node and owner_id <> '' offset 0
      ) as child
    )
    select head.epoch, head.revision as head_revision,
      (select id from outbox order by id limit 1) is not null as changes_wait, found.*
    from head left join (
      select resource.*
      from tree cross join lateral (
        select ${READ_COLUMNS}, ${STATUS_RECORDS} as reports
        from resources where id = node offset 0
      ) as resource
    ) as found on true`,
}

/** A resource with all its reports. */
export interface SubtreeNode {
  readonly resource: ReadResource
  readonly reports: readonly VersionedStatus[]
}

/** A root and its descendants at one moment. */
export interface LoadedSubtree {
  readonly epoch: string
  /** The nodes include every change up to here. */
  readonly revision: bigint
  /** Whether the nodes may also include later changes. */
  readonly isAhead: boolean
  /** In no order; empty if the root does not exist. */
  readonly nodes: readonly SubtreeNode[]
}

interface HeadColumns {
  readonly epoch: string
  readonly head_revision: bigint
  readonly changes_wait: boolean
}

interface NodeRow extends ReadRow {
  readonly reports: readonly StatusRecordColumn[] | null
}

type Row = HeadColumns & (NodeRow | { readonly id: null })

/** The name of a root in a request. */
export interface RootName {
  /** Names are unique within a tenant. If null, a name belongs to NO_TENANT. */
  readonly tenant: TenantScope
  readonly kind: string
  /** The id, or the name of a root that is not being deleted. */
  readonly idOrName: string
}

/** Reads a root and its descendants. */
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
  return { resource: resourceOf(row), reports: (row.reports ?? []).map(versionedStatusOf) }
}

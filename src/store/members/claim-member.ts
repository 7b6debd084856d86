import sql, { join, type Sql } from 'sql-template-tag'
import type { ObjectSelector } from '../objects/model/object-query.ts'
import { selectorConditions } from '../objects/storage/selector-sql.ts'
import type { Database } from '../database/database.ts'
import type { ClaimRow } from './claim-row.ts'
import { groupLabel, type GroupSelection } from './member-group.ts'

export interface ClaimQuery {
  readonly group: GroupSelection
  readonly requiresReady: boolean
  /** Selects by the labels of resources. */
  readonly selector: ObjectSelector
  /** The name of the resource; null for any. */
  readonly name: string | null
  readonly holder: string
  /** The second part of the claim's ID; the first is the ID of the resource. */
  readonly nonce: string
  readonly leaseSeconds: number | null
  /** The key of the annotation that shows the holder. */
  readonly annotation: string
  readonly now: Date
  readonly user: string
}

/** A claim, and whether the holder before has handed on the content of the member. */
export interface NewClaimRow extends ClaimRow {
  readonly kept: boolean
}

/** The claimed member; null if none could be claimed. `hasCandidate`: another one may be free. */
export interface ClaimAttempt {
  readonly claimed: NewClaimRow | null
  readonly hasCandidate: boolean
}

type Row = { readonly has_candidate: boolean } & (NewClaimRow | { readonly id: null })

/**
 * Claims the member that has been available longest, in one statement. It locks the resource and
 * the member and skips those that other transactions have locked, so claims never wait for each
 * other and never share a member. The change of the resource sends the claim to watches.
 */
export async function claimMember(database: Database, query: ClaimQuery): Promise<ClaimAttempt> {
  const { group, holder, nonce, leaseSeconds, annotation, now, user } = query
  const time = sql`${now}::timestamptz`
  const statement = sql`
    with picked as materialized (
      select objects.id, objects.name, members.kept
      from members join resources as objects on objects.id = members.resource_id
      where ${join(conditions(query), ' and ')}
      order by members.transition_time, members.resource_id
      limit 1 for update of objects, members skip locked
    ), claimed as (
      update members set
        state = 'Claimed',
        holder = ${holder}::text,
        claim_id = members.resource_id || '.' || ${nonce}::text,
        claimed_time = ${time},
        lease_seconds = ${leaseSeconds}::integer,
        expires_time = ${time} + make_interval(secs => ${leaseSeconds}::integer),
        first_claimed_time = coalesce(first_claimed_time, ${time})
      from picked where members.resource_id = picked.id
      returning picked.id, picked.name, picked.kept, holder, claim_id, claimed_time, expires_time
    ), announced as (
      update resources set
        version = version + 1,
        annotations = annotations || jsonb_build_object(${annotation}::text, ${holder}::text),
        updated_time = ${time},
        updated_by = ${user}::text
      from picked where resources.id = picked.id
    )
    select claimed.*, exists (
      select 1 from members
      where group_uid = ${group.uid}::text and state = 'Available') as has_candidate
    from (select 1) as one left join claimed on true`
  const [row] = await run(database, query, statement)
  if (!row) return { claimed: null, hasCandidate: false }
  return { claimed: row.id === null ? null : row, hasCandidate: row.has_candidate }
}

/** Claims without a selector are prepared, because a plan takes as long as the claim. */
function run(
  database: Database,
  { selector, requiresReady, name }: ClaimQuery,
  statement: Sql,
): Promise<Row[]> {
  const isPlain = selector.labels.length === 0 && selector.fields.length === 0 && name === null
  if (!isPlain) return database.query<Row>('claim_member', statement)
  return database.execute<Row>(
    {
      name: requiresReady ? 'claim_ready_member' : 'claim_any_member',
      text: statement.text,
    },
    statement.values,
  )
}

function conditions({ group, requiresReady, selector, name }: ClaimQuery): readonly Sql[] {
  return [
    sql`members.group_uid = ${group.uid}::text`,
    sql`members.state = 'Available'`,
    sql`objects.kind = ${group.kind}::text`,
    sql`objects.deleted_time is null`,
    sql`objects.labels @> ${groupLabel(group)}::jsonb`,
    ...(requiresReady ? [sql`objects.cond ->> 'Ready' = 'True'`] : []),
    ...(name === null ? [] : [sql`objects.name = ${name}::text`]),
    ...selectorConditions(selector),
  ]
}

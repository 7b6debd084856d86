import type { Database } from '../database/database.ts'
import { groupLabel, type GroupSelection } from './member-group.ts'

/**
 * The label proves that the resource belongs to a group of this name. A row of another group is a
 * remnant: that group had the same name, or the label was changed by hand. Nothing is deleted: a
 * member is available only if its content is what a template of this group has written. Otherwise,
 * and without a row, it is unclean, and its `template` stays empty.
 */
const ADOPT_MEMBERS = {
  name: 'adopt_members',
  text: `
    with orphan as materialized (
      select id, name from resources
      where tenant = $10::text and kind = $1::text and owner_id = '' and deleted_time is null
        and name = any(array(select unnest($2::text[])))
        and labels @> $3::jsonb
        and not exists (
          select 1 from members
          where members.resource_id = resources.id and members.group_uid = $4::text)
      order by id for update skip locked
    ), adopted as (
      insert into members (
        resource_id, group_uid, group_name, template, state, transition_time, created_time)
      select id, $4::text, $5::text, '', 'Unclean', $6::timestamptz, $6::timestamptz
      from orphan
      on conflict (resource_id) do update set (template, state) = (
          select case when is_clean then members.template else '' end,
            case when is_clean then 'Available' else 'Unclean' end
          from (select members.state = 'Available' and not members.kept and (
            members.former_group_uid = $4::text or members.template = $9::text) as is_clean) as found),
        group_uid = excluded.group_uid, group_name = excluded.group_name, former_group_uid = '',
        holder = null, claim_id = null, last_claim_id = null, claimed_time = null,
        expires_time = null, lease_seconds = null, first_claimed_time = null,
        transition_time = excluded.transition_time, created_time = excluded.created_time
      returning resource_id
    ), announced as (
      update resources set
        version = version + 1, annotations = annotations - $8::text,
        updated_time = $6::timestamptz, updated_by = $7::text
      from orphan where resources.id = orphan.id
    )
    select name from orphan`,
}

interface Adoption {
  readonly group: GroupSelection
  readonly names: readonly string[]
  /** Hash of the current content of the group. */
  readonly template: string
  readonly now: Date
  readonly user: string
  /** The key of the annotation that shows the holder of a claim. */
  readonly annotation: string
}

/** Makes resources with the label of a group its members. Returns their names. */
export async function adoptMembers(
  database: Database,
  { group, names, template, now, user, annotation }: Adoption,
): Promise<ReadonlySet<string>> {
  const rows = await database.execute<{ name: string }>(ADOPT_MEMBERS, [
    group.kind,
    names,
    groupLabel(group),
    group.uid,
    group.name,
    now,
    user,
    annotation,
    template,
    group.tenant,
  ])
  return new Set(rows.map(({ name }) => name))
}

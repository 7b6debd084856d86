import type pg from 'pg'

/** Greater than every revision that the planes had in either shard. */
const REVISIONS_BETWEEN = 1000

/** The entry of type REMOVED ends watches and drops configurations of an earlier stay. */
const RAISE_PLANES = `
  with raised as (
    update planes set
      revision = greatest(planes.revision, object_head.floor) + $2::bigint,
      compacted = greatest(planes.revision, object_head.floor) + $2::bigint
    from object_head, resources
    where resources.id = planes.plane and resources.tenant = $1::text
    returning planes.plane, planes.revision
  )
  insert into object_outbox (
    type, plane, resource, namespace, name, uid, revision, body, managed_fields, labels)
  select 'REMOVED', plane, '', '', '', '', revision, '{}', '[]', '{}' from raised order by plane`

/** Revisions of objects are those of the log of their database. */
const RENUMBER_OBJECTS = `
  with numbered as (
    select objects.plane, objects.resource, objects.namespace, objects.name,
      planes.compacted + row_number() over (
        partition by objects.plane order by objects.revision, objects.resource, objects.namespace,
          objects.name) as next
    from objects join planes using (plane) join resources on resources.id = planes.plane
    where resources.tenant = $1::text
  ), renumbered as (
    update objects set revision = numbered.next from numbered
    where objects.plane = numbered.plane and objects.resource = numbered.resource
      and objects.namespace = numbered.namespace and objects.name = numbered.name
    returning objects.*
  ), raised as (
    update planes set revision = newest.revision
    from (select plane, max(next) as revision from numbered group by plane) as newest
    where planes.plane = newest.plane
  )
  insert into object_outbox (
    type, plane, resource, namespace, name, uid, revision, body, managed_fields, labels)
  select 'ADDED', plane, resource, namespace, name, uid, revision, body::text::json, managed_fields,
    labels::text::json
  from renumbered where not is_tombstone order by plane, revision`

/**
 * Gives the planes of a tenant that has been copied new revisions, and adds their objects to the log,
 * so that the controllers of the shard find them. Watches with earlier revisions must list again.
 */
export async function arrivePlanes(client: pg.ClientBase, tenant: string): Promise<void> {
  await client.query(RAISE_PLANES, [tenant, REVISIONS_BETWEEN])
  await client.query(RENUMBER_OBJECTS, [tenant])
}

import type pg from 'pg'
import { planesOfTenant } from './planes-of-tenant.ts'

/** Greater than every revision that the planes had in either shard. */
const REVISIONS_BETWEEN = 1000

/** The entry of type REMOVED ends watches and drops configurations of an earlier stay. */
const raisePlanes = (tenant: string): string => `
  with raised as (
    update planes set
      revision = greatest(planes.revision, object_head.floor) + $1::bigint,
      compacted = greatest(planes.revision, object_head.floor) + $1::bigint
    from object_head
    where planes.plane in (${planesOfTenant(tenant)})
    returning planes.plane, planes.revision
  )
  insert into object_outbox (
    type, plane, resource, namespace, name, uid, revision, body, managed_fields, labels)
  select 'REMOVED', plane, '', '', '', '', revision, '{}', '[]', '{}' from raised order by plane`

/** Revisions of objects are those of the log of their database. */
const renumberObjects = (tenant: string): string => `
  with numbered as (
    select objects.plane, objects.resource, objects.namespace, objects.name,
      planes.compacted + row_number() over (
        partition by objects.plane order by objects.revision, objects.resource, objects.namespace,
          objects.name) as next
    from objects join planes using (plane)
    where objects.plane in (${planesOfTenant(tenant)})
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
  await client.query(raisePlanes(tenant), [REVISIONS_BETWEEN])
  await client.query(renumberObjects(tenant))
}

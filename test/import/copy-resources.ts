import type pg from 'pg'

/**
 * Copies the resources in the tables of a later HyperFleet that satisfy a condition, with their labels,
 * conditions and reports. Copies of node pools belong to copies of their clusters.
 */
export async function copyResources(
  client: pg.Client,
  { copies, where }: { readonly copies: number; readonly where: string },
): Promise<void> {
  await client.query(`
    create temporary table original as select * from resources where ${where};
    create temporary table copy as
      select id as source, id || '-' || number as id, '-' || number as suffix
      from original cross join generate_series(1, ${copies}) as number;
    insert into resources (
      id, created_time, updated_time, deleted_time, kind, name, created_by, updated_by, deleted_by,
      owner_id, owner_kind, spec, generation)
    select copy.id, created_time, updated_time, deleted_time, kind, name || suffix, created_by,
      updated_by, deleted_by, owner_id || suffix, owner_kind, spec, generation
    from copy join original on original.id = copy.source;
    insert into resource_labels
    select copy.id, key, value from copy join resource_labels on resource_id = source;
    insert into resource_conditions
    select copy.id, type, status, reason, message, observed_generation, created_time,
      last_updated_time, last_transition_time
    from copy join resource_conditions on resource_id = source;
    insert into adapter_statuses (
      id, created_time, updated_time, resource_type, resource_id, adapter, observed_generation,
      last_report_time, conditions, data, metadata)
    select status.id || suffix, created_time, updated_time, resource_type, copy.id, adapter,
      observed_generation, last_report_time, conditions, data, metadata
    from copy join adapter_statuses as status on resource_id = source;
    drop table original, copy;
    analyze`)
}

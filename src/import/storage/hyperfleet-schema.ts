/** The statements that read one generation of HyperFleet's tables. */
export interface HyperfleetSchema {
  readonly version: string
  /** A table and column that only this generation has. */
  readonly mark: readonly [table: string, column: string]
  /** Columns: kind, total. */
  readonly count: string
  /** Columns: kind, text. */
  readonly remarks: string
  /**
   * Column: resource, as JSON text in the form of the API with `statuses`, by id. Null if this generation
   * has no such kind. Parameters: the kind, the last id of the previous page, the size of a page, and the
   * time after which the resource or a report has changed, which may be null.
   */
  readonly pageOf: (kind: string) => string | null
}

const STATUS = (live: string): string => `
  coalesce((
    select json_agg(json_build_object(
      'adapter', status.adapter, 'observed_generation', status.observed_generation,
      'conditions', status.conditions, 'data', status.data, 'metadata', status.metadata,
      'created_time', status.created_time, 'last_report_time', status.last_report_time)
      order by status.adapter collate "C")
    from adapter_statuses as status
    where status.resource_type = found.kind and status.resource_id = found.id ${live}), '[]')`

const REPORTED_AFTER = (live: string): string => `
  $4::timestamptz is null or found.updated_time > $4::timestamptz or exists (
    select 1 from adapter_statuses as status
    where status.resource_type = found.kind and status.resource_id = found.id
      and status.last_report_time > $4::timestamptz ${live})`

const FIELDS = `
  'kind', found.kind, 'id', found.id, 'href', found.href, 'name', found.name,
  'generation', found.generation, 'spec', found.spec, 'created_time', found.created_time,
  'updated_time', found.updated_time, 'created_by', found.created_by, 'updated_by', found.updated_by`

const OWNER = `'owner_references', json_build_object(
  'kind', found.owner_kind, 'id', found.owner_id, 'href', found.owner_href)`

const NOT_DELETED = 'and status.deleted_at is null'

const V01_TABLES: Readonly<Record<string, { readonly table: string; readonly owner: string }>> = {
  Cluster: { table: 'clusters', owner: '' },
  NodePool: { table: 'node_pools', owner: `${OWNER},` },
}

const ORPHANS = (live: string, resources: string): string => `
  select resource_type::text as kind, count(*) || ' reports belong to resources that do not exist' as text
  from adapter_statuses as status
  where not exists (
    select 1 from ${resources} as found
    where found.id = status.resource_id and found.kind = status.resource_type) ${live}
  group by resource_type`

/** One table per kind, conditions as JSON, and rows that are marked as deleted. */
const V01: HyperfleetSchema = {
  version: 'v0.1',
  mark: ['clusters', 'status_conditions'],
  count: `
    select 'Cluster' as kind, count(*)::integer as total from clusters where deleted_at is null
    union all
    select 'NodePool', count(*)::integer from node_pools where deleted_at is null`,
  remarks: `
    select kind, count(*) || ' rows are marked as deleted, and are left behind' as text
    from (
      select 'Cluster' as kind from clusters where deleted_at is not null
      union all
      select 'NodePool' from node_pools where deleted_at is not null
    ) as deleted
    group by kind
    union all
    ${ORPHANS(
      NOT_DELETED,
      `(
        select id, 'Cluster' as kind from clusters where deleted_at is null
        union all select id, 'NodePool' from node_pools where deleted_at is null)`,
    )}`,
  pageOf: (kind) => {
    const found = Object.hasOwn(V01_TABLES, kind) ? V01_TABLES[kind] : undefined
    if (found === undefined) return null
    return `
      select json_build_object(${FIELDS}, ${found.owner}
        'labels', found.labels,
        'status', json_build_object('conditions', found.status_conditions),
        'statuses', ${STATUS(NOT_DELETED)})::text as resource
      from ${found.table} as found
      where found.kind = $1::text and found.deleted_at is null and found.id > $2::text
        and (${REPORTED_AFTER(NOT_DELETED)})
      order by found.id limit $3::integer`
  },
}

/** One table of resources, with tables of labels, conditions and references. */
const LATEST: HyperfleetSchema = {
  version: 'later than v0.1',
  mark: ['resources', 'tenancy'],
  count: 'select kind, count(*)::integer as total from resources group by kind',
  remarks: ORPHANS('', 'resources'),
  pageOf: () => `
    select json_build_object(${FIELDS},
      'deleted_time', found.deleted_time, 'deleted_by', found.deleted_by, 'tenancy', found.tenancy,
      ${OWNER},
      'labels', coalesce((
        select json_object_agg(label.key, label.value) from resource_labels as label
        where label.resource_id = found.id), '{}'),
      'references', coalesce((
        select json_object_agg(targets.ref_type, targets.items) from (
          select target.ref_type, json_agg(json_build_object(
            'id', target.target_id, 'kind', target.target_kind) order by target.target_id) as items
          from resource_references as target where target.source_id = found.id
          group by target.ref_type) as targets), '{}'),
      'status', json_build_object('conditions', coalesce((
        select json_agg(json_strip_nulls(json_build_object(
          'type', condition.type, 'status', condition.status, 'reason', condition.reason,
          'message', condition.message, 'observed_generation', condition.observed_generation,
          'created_time', condition.created_time, 'last_updated_time', condition.last_updated_time,
          'last_transition_time', condition.last_transition_time))
          order by condition.type collate "C")
        from resource_conditions as condition where condition.resource_id = found.id), '[]')),
      'statuses', ${STATUS('')})::text as resource
    from resources as found
    where found.kind = $1::text and found.id > $2::text and (${REPORTED_AFTER('')})
    order by found.id limit $3::integer`,
}

/** The generations of HyperFleet's tables. */
export const HYPERFLEET_SCHEMAS: readonly HyperfleetSchema[] = [V01, LATEST]

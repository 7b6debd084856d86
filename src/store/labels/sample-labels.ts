import type { Database, PreparedStatement } from '../database/database.ts'

/** The most resources that a statement reads: half of them the newest, half spread over the table. */
const SAMPLE = 10_000

/**
 * The newest resources of each kind, from the indexes of lists, and rows of random blocks. Both cost
 * the same for any number of resources. A small number of resources is read completely.
 */
const SAMPLED = `
  select labels from unnest($1::text[]) as wanted(kind)
  cross join lateral (
    select labels from resources
    where resources.kind = wanted.kind and $2::text is null
    order by created_time desc, id desc limit ${SAMPLE} / cardinality($1::text[])
  ) as newest
  union all
  select labels from unnest($1::text[]) as wanted(kind)
  cross join lateral (
    select labels from resources
    where resources.kind = wanted.kind and tenant = $2::text and tenant <> ''
    order by created_time desc, id desc limit ${SAMPLE} / cardinality($1::text[])
  ) as newest
  union all
  (select labels from resources tablesample system ((
     select 100.0 * ${SAMPLE} / greatest(reltuples, ${SAMPLE}) from pg_class
     where oid = 'resources'::regclass))
   where kind = any($1::text[]) and ($2::text is null or tenant = $2::text)
   limit ${SAMPLE})`

/** The most frequent items. $3 is the prefix and $4 the limit. */
const SAMPLE_KEYS: PreparedStatement = {
  name: 'sample_label_keys',
  text: `
    select key as item from (${SAMPLED}) as sampled, jsonb_object_keys(labels) as key
    where starts_with(key, $3::text)
    group by key order by count(*) desc, key limit $4::integer`,
}

const SAMPLE_VALUES: PreparedStatement = {
  name: 'sample_label_values',
  text: `
    select labels ->> $5::text as item from (${SAMPLED}) as sampled
    where starts_with(labels ->> $5::text, $3::text)
    group by 1 order by count(*) desc, 1 limit $4::integer`,
}

interface Query {
  readonly kinds: readonly string[]
  /** Null for all tenants. */
  readonly tenant: string | null
  readonly prefix: string
  readonly limit: number
}

/** The label keys of a bounded number of resources, the most frequent first. */
export async function sampleLabelKeys(
  database: Database,
  query: Query,
): Promise<readonly string[]> {
  return items(await database.execute<Row>(SAMPLE_KEYS, valuesOf(query)))
}

/** The values of a label of a bounded number of resources, the most frequent first. */
export async function sampleLabelValues(
  database: Database,
  key: string,
  query: Query,
): Promise<readonly string[]> {
  return items(await database.execute<Row>(SAMPLE_VALUES, [...valuesOf(query), key]))
}

/** Whether the sample contains all of this number of resources. */
export function isSampledCompletely(total: number, kinds: number): boolean {
  return total <= SAMPLE / kinds
}

interface Row {
  readonly item: string
}

function valuesOf({ kinds, tenant, prefix, limit }: Query): readonly unknown[] {
  return [[...kinds], tenant, prefix, limit]
}

function items(rows: readonly Row[]): readonly string[] {
  return rows.map(({ item }) => item)
}

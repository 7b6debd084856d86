import type pg from 'pg'

/** The number of seeded config maps in the root plane. */
export const OBJECTS = 100_000

const TEXT = 'x'.repeat(600)

/** The name of a seeded config map. */
export function objectName(number: number): string {
  return `object-${String(number).padStart(6, '0')}`
}

/** A config map of about 900 bytes, as a client sends it. */
export function configMap(name: string, number: number): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: `app-${number % 100}`, half: `half-${number % 2}` } },
    data: { text: TEXT },
  }
}

const INSERT_OBJECTS = `
  insert into objects (
    plane, resource, namespace, name, uid, revision, body, managed_fields, labels, owner_uids,
    created_time)
  select $1::text, 'configmaps', 'default', name, uid, 1000000 + number,
    jsonb_build_object(
      'apiVersion', 'v1', 'kind', 'ConfigMap', 'data', jsonb_build_object('text', $4::text),
      'metadata', jsonb_build_object(
        'name', name, 'namespace', 'default', 'uid', uid, 'labels', labels,
        'creationTimestamp', '2026-01-01T00:00:00Z')),
    '[{"manager": "bench", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {".": {}, "f:text": {}}}}]',
    labels, '{}', '2026-01-01T00:00:00Z'
  from (
    select number, 'object-' || lpad(number::text, 6, '0') as name, gen_random_uuid()::text as uid,
      jsonb_build_object('app', 'app-' || number % 100, 'half', 'half-' || number % 2) as labels
    from generate_series($2::integer, $3::integer) as number
  ) as numbers`

const INSERT_PLANE = `
  insert into planes (plane, revision, compacted)
  select $1::text, revision, revision
  from (select (extract(epoch from now()) * 1048576)::bigint as revision) as now
  on conflict (plane) do nothing`

/** Inserts config maps into a plane that has none. */
export async function seedObjects(client: pg.Client, plane: string, count: number): Promise<void> {
  await client.query(INSERT_PLANE, [plane])
  await client.query(INSERT_OBJECTS, [plane, 0, count - 1, TEXT])
}

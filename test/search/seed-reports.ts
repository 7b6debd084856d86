import type { Client } from 'pg'

/** Inserts the missing reports of every cluster, dated a day after its creation. Keeps conditions. */
export async function seedReports(client: Client, adapters: readonly string[]): Promise<void> {
  await client.query('set statement_timeout = 0')
  await client.query(
    `insert into adapter_statuses (resource_id, adapter, observed_generation, revision, conditions,
       available, available_generation, data, created_time, last_report_time, observed_time,
       condition_type)
     select id, adapter, 1, 1, '[{"type":"Available","status":"True"}]',
       '{"status":"True","observed_generation":1}', 1, '{}', created_time,
       created_time + interval '1 day', created_time, initcap(adapter) || 'Successful'
     from resources cross join unnest($1::text[]) as reporting (adapter)
     on conflict do nothing`,
    [adapters],
  )
  await client.query('vacuum analyze adapter_statuses')
}

import type { Database } from './database.ts'
import { dryRunDatabase } from './dry-run-database.ts'

/** 36 KB of random text, which needs new pages: it exceeds the free space in existing pages. */
const PROBE = {
  name: 'probe_write',
  text: `
    insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
      created_time, updated_time, created_by, updated_by)
    select probe.id, 'WriteProbe', probe.id, 1, 1,
      jsonb_build_object('padding', (
        select string_agg(gen_random_uuid()::text, '') from generate_series(1, 1000))),
      '{}', '[]', '{}', now(), now(), '', ''
    from (select gen_random_uuid()::text as id) as probe`,
}

/** Inserts a resource and rolls back. Rejects if writes fail. */
export async function probeWrite(database: Database): Promise<void> {
  await dryRunDatabase(database).execute(PROBE, [])
}

import type { Database } from './database.ts'
import { dryRunDatabase } from './dry-run-database.ts'

/** 36 KB that hardly compress: more than the free space within the pages that a table already has. */
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

/** Stores a resource and rolls it back. Rejects if the database takes no writes. */
export async function probeWrite(database: Database): Promise<void> {
  await dryRunDatabase(database).execute(PROBE, [])
}

import type { Database } from '../../store/database/database.ts'

/**
 * Skips operations that a step or a takeover has locked. Otherwise one slow step would delay the
 * renewals of all operations, and the renewed rows, locked meanwhile, would delay their steps.
 */
const RENEW_OPERATIONS = {
  name: 'renew_sandbox_operations',
  text: `
    with held as materialized (
      select id from sandbox_operations
      where id = any($1::text[]) and holder = $2::text and finished_time is null
    ), free as materialized (
      select id from sandbox_operations
      where id in (select id from held) and holder = $2::text and finished_time is null
      for update skip locked
    ), renewed as (
      update sandbox_operations set
        lease_expires_time = $4::timestamptz + make_interval(secs => $3::float8)
      from free where sandbox_operations.id = free.id
    )
    select id from held`,
}

interface Renewal {
  readonly ids: readonly string[]
  readonly holder: string
  readonly leaseSeconds: number
  readonly now: Date
}

/** Renews the leases of running operations. Returns those that the holder still has. */
export async function renewOperations(
  database: Database,
  { ids, holder, leaseSeconds, now }: Renewal,
): Promise<ReadonlySet<string>> {
  const values = [ids, holder, leaseSeconds, now]
  const held = await database.execute<{ readonly id: string }>(RENEW_OPERATIONS, values)
  return new Set(held.map(({ id }) => id))
}

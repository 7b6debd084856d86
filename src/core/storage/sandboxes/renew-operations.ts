import type { Database } from '../database/database.ts'

const RENEW_OPERATIONS = {
  name: 'renew_sandbox_operations',
  text: `
    update sandbox_operations set
      lease_expires_time = $4::timestamptz + make_interval(secs => $3::float8)
    where id = any($1::text[]) and holder = $2::text and finished_time is null
    returning id`,
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
  const rows = await database.execute<{ id: string }>(RENEW_OPERATIONS, values)
  return new Set(rows.map(({ id }) => id))
}

import type { Database } from '../../store/database/database.ts'

/** Does not raise the row version: activity changes no decision of an operation. */
const RECORD_ACTIVITY = {
  name: 'record_sandbox_activity',
  text: `
    update sandbox_states set
      last_activity_time = greatest(last_activity_time, $2::timestamptz)
    where uid = $1::text
    returning uid`,
}

/** Records that a sandbox was used. False if the sandbox has no row. */
export async function recordActivity(
  database: Database,
  uid: string,
  time: Date,
): Promise<boolean> {
  const rows = await database.execute(RECORD_ACTIVITY, [uid, time])
  return rows.length > 0
}

import type { Database } from '../database/database.ts'

const FINISH_RESET = {
  name: 'finish_reset',
  text: `
    with reset as (
      update members set
        state = 'Available', template = $2::text, transition_time = $3::timestamptz
      where resource_id = any(array(select unnest($1::text[]))) and state = 'Recycling'
      returning resource_id
    )
    update resources set
      version = version + 1, updated_time = $3::timestamptz, updated_by = $4::text
    from reset where resources.id = reset.resource_id`,
}

interface FinishedReset {
  /** IDs of members that `lockMembers` has locked in this transaction. */
  readonly ids: readonly string[]
  /** Hash of the content that they have been reset to. */
  readonly template: string
  readonly now: Date
  readonly user: string
}

/** Makes members available after their reset. */
export async function finishReset(
  database: Database,
  { ids, template, now, user }: FinishedReset,
): Promise<void> {
  await database.execute(FINISH_RESET, [ids, template, now, user])
}

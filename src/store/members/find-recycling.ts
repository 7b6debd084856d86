import type { Database } from '../database/database.ts'

const FIND_RECYCLING = {
  name: 'find_recycling',
  text: `
    select resource_id, template from members
    where group_uid = $1::text and state = 'Recycling'
    order by resource_id limit $2::integer`,
}

/** A member that waits for its reset. */
export interface RecyclingMember {
  readonly resource_id: string
  /** Hash of the content that it was made from. */
  readonly template: string
}

/** The members of a group that wait for their reset, at most `limit`. */
export async function findRecycling(
  database: Database,
  groupUid: string,
  limit: number,
): Promise<readonly RecyclingMember[]> {
  return database.execute(FIND_RECYCLING, [groupUid, limit])
}

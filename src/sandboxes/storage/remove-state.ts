import type { Database } from '../../store/database/database.ts'

const REMOVE_SANDBOX_STATE = {
  name: 'remove_sandbox_state',
  text: `
    with finished as (
      delete from sandbox_operations where sandbox_uid = $1::text
    )
    delete from sandbox_states where uid = $1::text`,
}

/** Removes the rows of a deleted sandbox. */
export async function removeState(database: Database, uid: string): Promise<void> {
  await database.execute(REMOVE_SANDBOX_STATE, [uid])
}

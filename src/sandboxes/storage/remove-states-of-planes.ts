import type { Database } from '../../store/database/database.ts'

const REMOVE_STATES_OF_PLANES = {
  name: 'remove_sandbox_states_of_planes',
  text: `
    with operations as (
      delete from sandbox_operations where plane = any($1::text[])
    )
    delete from sandbox_states where plane = any($1::text[])`,
}

/** Removes the rows of planes that are removed or reset. Runtimes end the instances without rows. */
export async function removeStatesOfPlanes(
  database: Database,
  planes: readonly string[],
): Promise<void> {
  await database.execute(REMOVE_STATES_OF_PLANES, [planes])
}

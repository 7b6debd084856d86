import type { SandboxState } from '../../sandboxes/sandbox-state.ts'
import type { Database } from '../database/database.ts'
import { STATE_COLUMNS, stateOf, type StateRow } from './state-row.ts'

const READ_SANDBOX_STATE = {
  name: 'read_sandbox_state',
  text: `
    select ${STATE_COLUMNS}
    from sandbox_states where uid = $1::text`,
}

/** The row of a sandbox; null if no operation has begun. */
export async function readState(database: Database, uid: string): Promise<SandboxState | null> {
  const [row] = await database.execute<StateRow>(READ_SANDBOX_STATE, [uid])
  return row ? stateOf(row) : null
}

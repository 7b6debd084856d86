import type { SandboxState } from '../../sandboxes/sandbox-state.ts'
import type { Database } from '../database/database.ts'
import { STATE_COLUMNS, stateOf, type StateRow } from './state-row.ts'

const LIST_SANDBOX_STATES = {
  name: 'list_sandbox_states',
  text: `
    select ${STATE_COLUMNS}
    from sandbox_states
    where uid > $1::text and ($3::text is null or runtime = $3::text)
    order by uid limit $2::integer`,
}

interface Page {
  readonly afterUid: string
  readonly limit: number
  /** The rows of one runtime; all rows if null. */
  readonly runtime: string | null
}

/** Rows in the order of their uids. */
export async function listStates(
  database: Database,
  { afterUid, limit, runtime }: Page,
): Promise<readonly SandboxState[]> {
  const rows = await database.execute<StateRow>(LIST_SANDBOX_STATES, [afterUid, limit, runtime])
  return rows.map(stateOf)
}

import type { SandboxProgress, SandboxState } from '../../sandboxes/sandbox-state.ts'
import type { Database } from '../database/database.ts'
import { progressValues, STATE_COLUMNS, stateOf, type StateRow } from './state-row.ts'

/** The version excludes concurrent operations: each begin and each step raises it. */
const RECORD_OBSERVATION = {
  name: 'record_sandbox_observation',
  text: `
    update sandbox_states set
      version = version + 1, phase = $3::text, runtime = $4::text, instance_id = $5::text,
      suspended_by = $6::text, snapshot_name = $7::text, snapshot_uid = $8::text,
      workload_digest = $9::text, boot = $10::text, details = $11::jsonb,
      isolation_class = $12::text
    where uid = $1::text and version = $2::integer
    returning ${STATE_COLUMNS}`,
}

/**
 * Records what a runtime reported between operations, such as the exit of a workload. Null if the
 * row has changed since it was read.
 */
export async function recordObservation(
  database: Database,
  { uid, version }: Pick<SandboxState, 'uid' | 'version'>,
  progress: SandboxProgress,
): Promise<SandboxState | null> {
  const values = [uid, version, ...progressValues(progress)]
  const [row] = await database.execute<StateRow>(RECORD_OBSERVATION, values)
  return row ? stateOf(row) : null
}

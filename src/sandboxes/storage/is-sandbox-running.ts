import type { SandboxReference } from 'flotilla/planes'
import type { Database } from '../../store/database/database.ts'
import { readState } from './read-state.ts'

/** Whether an instance of a sandbox runs, or is about to. */
export async function isSandboxRunning(
  database: Database,
  { uid, instance }: SandboxReference,
): Promise<boolean> {
  const state = await readState(database, uid)
  if (state === null || state.phase === 'Frozen') return false
  return state.instanceId === instance && state.details['endedInstance'] !== instance
}

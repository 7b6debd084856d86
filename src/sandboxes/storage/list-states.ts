import type { SandboxState } from './sandbox-state.ts'
import type { Database } from '../../store/database/database.ts'
import { stateOf, type StateRecord } from './state-row.ts'

const LIST_SANDBOX_STATES = {
  name: 'list_sandbox_states',
  text: `
    select uid, plane, namespace, name, fence, version, phase, runtime,
      instance_id as "instanceId", suspended_by as "suspendedBy", snapshot_name as "snapshotName",
      snapshot_uid as "snapshotUid", workload_digest as "workloadDigest", boot,
      isolation_class as "isolationClass", details, last_activity_time as "lastActivityTime",
      created_time as "createdTime"
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
  const values = [afterUid, limit, runtime]
  return (await database.execute<StateRecord>(LIST_SANDBOX_STATES, values)).map(stateOf)
}

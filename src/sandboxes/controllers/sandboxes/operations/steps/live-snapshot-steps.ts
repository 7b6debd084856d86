import { checkpoint, verify } from '../checkpoint.ts'
import type { OperationRun, Outcome, Step } from '../operation-run.ts'
import { prepareSnapshot } from '../prepare-snapshot.ts'
import { committedSnapshot, publishSnapshot, recordSnapshot } from '../snapshot-object.ts'

/** Takes a snapshot of a workload that continues to run. */
export const LIVE_SNAPSHOT_STEPS: Readonly<
  Record<
    'Begun' | 'Prepared' | 'Recorded' | 'Checkpointed' | 'Verified' | 'Committed' | 'Published',
    Step
  >
> = {
  Begun: prepareSnapshot,
  Prepared: recordSnapshot,
  Recorded: checkpoint,
  Checkpointed: verify,
  Verified: commit,
  Committed: publishSnapshot,
  Published: () => Promise.resolve({ finish: 'Succeeded' }),
}

function commit(run: OperationRun): Promise<Outcome> {
  const { status } = committedSnapshot(run)
  const details = { ...run.state.details, snapshot: status }
  return Promise.resolve({ next: 'Committed', progress: { details } })
}

import type { SandboxProgress } from '../../../../storage/sandbox-state.ts'
import { checkpoint, verify } from '../checkpoint.ts'
import { type OperationRun, type Outcome, type Step } from '../operation-run.ts'
import { prepareSnapshot } from '../prepare-snapshot.ts'
import { committedSnapshot, publishSnapshot, recordSnapshot } from '../snapshot-object.ts'
import { suspended } from '../suspended.ts'
import { terminate } from '../terminate.ts'

/** Steps of a suspension into a snapshot. `Committed` is the commit point. */
export const HIBERNATE_STEPS: Readonly<
  Record<
    | 'Hibernating'
    | 'Prepared'
    | 'Recorded'
    | 'Checkpointed'
    | 'Verified'
    | 'Committed'
    | 'Published',
    Step
  >
> = {
  Hibernating: prepareSnapshot,
  Prepared: recordSnapshot,
  Recorded: checkpoint,
  Checkpointed: verify,
  Verified: commit,
  Committed: publishSnapshot,
  Published: end,
}

/** One guarded update records the snapshot. Before it the workload is thawed; after it, it ends. */
function commit(run: OperationRun): Promise<Outcome> {
  const snapshot = committedSnapshot(run)
  const progress: Partial<SandboxProgress> = {
    suspendedBy: 'Hibernate',
    snapshot: { name: snapshot.name, uid: snapshot.uid },
    details: { ...run.state.details, snapshot: snapshot.status },
  }
  return Promise.resolve({ next: 'Committed', progress })
}

/** The frozen workload ends without running again, so nothing happens after its snapshot. */
async function end(run: OperationRun): Promise<Outcome> {
  await terminate(run, { isGraceful: false, removesWorkspace: true })
  return { finish: 'Succeeded', progress: suspended(run, 'Hibernate') }
}

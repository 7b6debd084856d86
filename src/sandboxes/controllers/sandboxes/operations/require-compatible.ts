import { OperationProblem } from './operation-problem.ts'
import type { Snapshot } from '../../../model/snapshot.ts'

/** Throws unless the snapshot can be restored for the workload. */
export function requireCompatible(
  snapshot: Snapshot,
  workload: { readonly digest: string; readonly uid: string },
): void {
  const isOwn = snapshot.sandbox.uid === workload.uid
  // The snapshot of a suspension is recorded in the row before its object becomes Ready.
  const usable = isOwn ? ['Creating', 'Ready', 'Consumed'] : ['Ready', 'Consumed']
  if (snapshot.phase === null || !usable.includes(snapshot.phase)) {
    throw new OperationProblem('NoSnapshot', {
      message: `The snapshot is ${snapshot.phase ?? 'not complete'}`,
      action: 'fail',
    })
  }
  const taken = snapshot.compatibility['workloadDigest']
  if (!snapshot.captured.includes('memory') || (taken ?? workload.digest) === workload.digest)
    return
  throw new OperationProblem('Incompatible', {
    message:
      'The workload has changed since its memory was saved; restore the former podTemplate or permit a cold boot',
    action: 'fail',
  })
}

import type { Instance } from '../../../drivers/generated/proto/snapshot_driver_pb.ts'
import { OperationProblem } from './operation-problem.ts'

/**
 * The instance, if the runtime has it. A workload that has already ended was started all the same:
 * the restart policy decides whether it starts again.
 */
export function requireRunning(instance: Instance | undefined): Instance {
  if (instance !== undefined && instance.state !== 'Removed') return instance
  throw new OperationProblem('StartFailed', {
    message: `The runtime reports the instance as ${instance?.state ?? 'absent'} after its start`,
    action: 'retry',
  })
}

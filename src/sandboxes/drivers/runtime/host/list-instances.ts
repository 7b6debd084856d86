import type { Instance } from '../../generated/proto/snapshot_driver_pb.ts'
import { describeInstance, type HostState } from './host-state.ts'

/** The last instance of every sandbox. */
export async function* listInstances(state: HostState): AsyncGenerator<Instance> {
  for (const record of state.records.values()) {
    if (record.current !== null) yield await describeInstance(state, record, record.current)
  }
}

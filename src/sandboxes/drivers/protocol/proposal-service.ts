import type { DescService } from '@bufbuild/protobuf'
import { SnapshotDriver } from '../generated/proto/snapshot_driver_pb.ts'

/**
 * SnapshotDriver under the name of the proposal. It writes `agents.x-k8s.io.v1beta1`, which no
 * package can be called. The messages are the same.
 */
export const PROPOSAL_SNAPSHOT_DRIVER = renamed(
  SnapshotDriver,
  'agents.x_k8s.io.v1beta1.SnapshotDriver',
)

/** A service whose paths begin with another name. */
function renamed<Service extends DescService>(service: Service, typeName: string): Service {
  const copy = { ...service, typeName }
  const methods = service.methods.map((method) => ({ ...method, parent: copy }))
  const method = Object.fromEntries(methods.map((each) => [each.localName, each]))
  return Object.assign(copy, { methods, method })
}

import type { ApiObject } from '../../../model/api-object.ts'
import type { ObjectOperations } from '../../../model/object-operations.ts'
import type { ResourceStore } from '../../../model/resource-store.ts'
import type { ResourceType } from '../../../model/resource-type.ts'
import type { TypeRegistry } from '../../../model/type-registry.ts'
import type { UserInfo } from '../../../model/user-info.ts'
import type { FleetReader } from '../../../../store/objects/model/fleet-query.ts'
import type { ObjectChange } from '../../../../store/objects/model/object-change.ts'
import type { ClusterSubscriber } from '../fleet-client.ts'

/** Receives the changes of all planes. Callbacks must not throw. */
interface AllChangesSubscriber {
  readonly onChanges: (changes: readonly ObjectChange[]) => void
  /** The next changes are not available. The subscription continues after them. */
  readonly onLost: () => void
  /** All objects of a plane were removed without a change for each. */
  readonly onEmptied?: (plane: string) => void
}

/** The parts of a server that its own controllers use. */
export interface InProcessOptions {
  readonly operations: ObjectOperations
  readonly registry: TypeRegistry
  readonly storeOf: (type: ResourceType) => Pick<ResourceStore, 'follow'>
  readonly reader: FleetReader
  /** Sends the changes of all planes from now on. */
  readonly subscribe: (subscriber: AllChangesSubscriber) => Disposable
  /** Sends the changes of clusters with a label from now on. Absent: without clusters. */
  readonly subscribeClusters?: (label: string, subscriber: ClusterSubscriber) => Disposable
  /** Converts an object from its storage version. Needed for watches in other versions. */
  readonly convert?: (object: ApiObject, type: ResourceType, version: string) => Promise<ApiObject>
  /** The user of all requests; they are not authorized. */
  readonly user: UserInfo
}

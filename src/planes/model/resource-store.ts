import type {
  ChangeSubscriber,
  ChangeSubscription,
} from '../../store/objects/model/change-subscriber.ts'
import type { ObjectPage, ObjectQuery } from '../../store/objects/model/object-query.ts'
import type { ObjectWrite, WriteOutcome } from '../../store/objects/model/object-write.ts'
import type { ObjectKey, StoredObject } from '../../store/objects/model/stored-object.ts'
import type { UserInfo } from './user-info.ts'

/** The storage of the objects of a resource. */
export interface ResourceStore {
  read(key: ObjectKey): Promise<StoredObject | null>
  list(query: ObjectQuery): Promise<ObjectPage>
  write(write: ObjectWrite, user: UserInfo): Promise<WriteOutcome>
  /**
   * Sends the changes of one resource in a plane after a revision, then new ones as they arrive.
   * Rejects with `expired` if they are no longer available, and with `timeout` if the revision is
   * not reached within 3 s.
   */
  follow(
    scope: Pick<ObjectQuery, 'plane' | 'resource'>,
    after: bigint,
    subscriber: ChangeSubscriber,
  ): Promise<ChangeSubscription>
}

import {
  type CachedConfigurations,
  createPlaneConfigurations,
} from '../../store/objects/configurations/plane-configurations.ts'
import { type ObjectFeed, startObjectFeed } from '../../store/objects/feed/object-feed.ts'
import type { CodecOf } from '../../store/objects/model/body-codec.ts'
import { createObjectStore, type ObjectStore } from '../../store/objects/object-store.ts'
import type { RemoveRecords } from '../../store/objects/storage/remove-records.ts'
import type { Database } from '../../store/database/database.ts'
import type { Replicas } from '../../store/replicas/replicas.ts'
import type { PlaneDirectory } from '../http/plane-directory.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import { createComputedObjects } from './computed-objects.ts'
import { createPlaneRecords } from './plane-records.ts'

/** The parts of the storage of planes that its program chooses. */
export interface PlaneStorageOptions {
  readonly database: Database
  /** Serve lists that need not be current; none by default. */
  readonly replicas?: Replicas | null
  readonly directory: PlaneDirectory
  /** Their initial objects are computed, and those that are configuration stay in memory. */
  readonly resources: readonly NativeResource[]
  /** Calls back when the initial objects of resources change; absent if they never do. */
  readonly followInitial?: (callback: () => void) => Disposable
  readonly codecOf: CodecOf
  /** Removes the rows of other capabilities with planes; absent if there are none. */
  readonly removeRecords?: RemoveRecords
  /** How long changes stay available to watches. */
  readonly retentionSeconds: number
  /** The most changes of one plane that stay available, whatever their age. */
  readonly changesPerPlane: number
  /** The most bytes of roles, definitions and other configuration in memory. */
  readonly configurationBytes: number
  /** How long a request may wait for earlier ones. */
  readonly timeoutMs: number
  readonly onError: (error: unknown) => void
}

/** The objects of all planes, their changes, and the configurations of the planes in use. */
export interface PlaneStorage extends AsyncDisposable {
  readonly feed: ObjectFeed
  readonly store: ObjectStore
  readonly configurations: CachedConfigurations
  /** The revision of a plane before its first write. */
  readonly startOf: (plane: string) => Promise<bigint>
}

const removeNone: RemoveRecords = async () => undefined

/** Opens the storage of planes. Authorization, admission and definitions read it. */
export async function openPlaneStorage(options: PlaneStorageOptions): Promise<PlaneStorage> {
  const { database, replicas = null, directory, resources, codecOf, timeoutMs, onError } = options
  const { recordOf, startOf } = createPlaneRecords(directory)
  const computedObjects = createComputedObjects({ resources, recordOf, startOf })
  const following = options.followInitial?.(computedObjects.forget)
  const feed = await startObjectFeed({
    database,
    codecOf,
    startOf,
    retention: { seconds: options.retentionSeconds, changesPerPlane: options.changesPerPlane },
    onError,
  })
  const store = createObjectStore({
    database,
    replicas,
    feed,
    codecOf,
    computedObjects: computedObjects.objectsOf,
    startOf,
    removeRecords: options.removeRecords ?? removeNone,
    timeoutMs,
  })
  const configurations = createPlaneConfigurations({
    database,
    log: feed.log,
    resources: resources
      .filter(({ isConfiguration }) => isConfiguration === true)
      .map(({ type }) => resourceKey(type)),
    computedObjects: computedObjects.objectsOf,
    codecOf,
    startOf,
    maxBytes: options.configurationBytes,
    timeoutMs,
  })
  return {
    feed,
    store,
    configurations,
    startOf,
    [Symbol.asyncDispose]: async () => {
      following?.[Symbol.dispose]()
      configurations[Symbol.dispose]()
      await feed[Symbol.asyncDispose]()
    },
  }
}

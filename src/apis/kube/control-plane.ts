import type { RequestHandler } from 'express'
import { createKeyedQueue } from '../../lib/async/keyed-queue.ts'
import type { Clock } from '../../lib/clock.ts'
import { createObjectStore } from '../../core/objects/object-store.ts'
import { type ObjectFeed, startObjectFeed } from '../../core/objects/feed/object-feed.ts'
import type { FleetReader } from '../../core/objects/model/fleet-query.ts'
import type { CodecOf } from '../../core/objects/model/body-codec.ts'
import type { Database } from '../../core/storage/database/database.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'
import { createKubeHandler, type KubeHandlerOptions } from './http/kube-handler.ts'
import { createServeDocument } from './http/serve-document.ts'
import type { HealthCheck } from './http/serve-health.ts'
import { createOpenApi } from './openapi/open-api.ts'
import type { BuildInfo } from './discovery/server-documents.ts'
import type { PlaneDirectory } from './http/plane-directory.ts'
import type { AdmissionPlugin } from './model/admission.ts'
import type { ResourceStore } from './model/resource-store.ts'
import type { NativeResource } from './model/native-resource.ts'
import type { ObjectOperations } from './model/object-operations.ts'
import { resourceKey, type ResourceType } from './model/resource-type.ts'
import type { PlaneTypes, TypeRegistry } from './model/type-registry.ts'
import type { OperationsContext } from './operations/context.ts'
import { createContinueTokens } from './operations/continue-token.ts'
import type { Converter } from './operations/converter.ts'
import { createObjectOperations } from './operations/object-operations.ts'
import { createComputedObjects } from './planes/computed-objects.ts'
import { completedStore } from './planes/completed-store.ts'
import { createPlaneRecords } from './planes/plane-records.ts'
import { createServeWatch } from './watch/serve-watch.ts'

/** The parts of a control plane that its program chooses. */
export interface ControlPlaneOptions extends Pick<
  KubeHandlerOptions,
  'authenticate' | 'authorizer' | 'isPublic' | 'decodeProtobuf' | 'bodyLimit'
> {
  readonly database: Database
  readonly build: BuildInfo
  readonly checks: readonly HealthCheck[]
  readonly clock: Clock
  /** The resources that every plane serves. */
  readonly resources: readonly NativeResource[]
  readonly directory: PlaneDirectory
  readonly admission: readonly AdmissionPlugin[]
  readonly typesOf: (natives: readonly NativeResource[]) => TypeRegistry
  readonly convert: Converter
  readonly codecOf: CodecOf
  readonly streams: WatchStreams
  /** Watches without `timeoutSeconds` close at a random time between this and twice this. */
  readonly minWatchTimeoutSeconds: number
  /** Signs the tokens of paged lists. All servers of a database share it. */
  readonly tokenKey: Buffer
  /** How long changes stay available to watches and paged lists. */
  readonly retentionSeconds: number
  /** The most changes of one plane that stay available, whatever their age. */
  readonly changesPerPlane: number
  /** How long a request may wait for earlier ones. */
  readonly timeoutMs: number
  readonly onError: (error: unknown) => void
}

/** A running control plane. */
export interface ControlPlane extends AsyncDisposable {
  /** Serves the paths of planes and passes other requests on. */
  readonly handler: RequestHandler
  readonly operations: ObjectOperations
  readonly types: TypeRegistry
  readonly feed: ObjectFeed
  readonly storeOf: OperationsContext['storeOf']
  /** The stored objects of all planes. */
  readonly fleet: FleetReader
}

/** Starts the API of all planes on a database. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { database, clock, resources, directory, codecOf, timeoutMs, onError } = options
  const { recordOf, startOf } = createPlaneRecords(directory)
  const computedObjects = createComputedObjects({ resources, recordOf, startOf })
  const feed = await startObjectFeed({
    database,
    codecOf,
    startOf,
    retention: { seconds: options.retentionSeconds, changesPerPlane: options.changesPerPlane },
    onError,
  })
  const store = createObjectStore({
    database,
    feed,
    codecOf,
    computedObjects,
    startOf,
    timeoutMs,
  })
  const types = options.typesOf(resources)
  const natives = new Map(resources.map((resource) => [resourceKey(resource.type), resource]))
  const nativeStores = storesOf(natives, store)
  const context: OperationsContext = {
    clock,
    natives,
    storeOf: (type) => (type.isCustom ? null : nativeStores.get(resourceKey(type))) ?? store,
    admission: options.admission,
    convert: options.convert,
    continueTokens: createContinueTokens({
      key: options.tokenKey,
      clock,
      lifetimeSeconds: options.retentionSeconds,
    }),
    writes: createKeyedQueue(timeoutMs),
  }
  const operations = createObjectOperations(context)
  const handler = createKubeHandler({
    ...options,
    types,
    operations,
    serveDocument: createServeDocument({ ...options, types, openApi: createOpenApi() }),
    serveWatch: createServeWatch({
      context,
      streams: options.streams,
      minTimeoutSeconds: options.minWatchTimeoutSeconds,
    }),
  })
  return {
    handler,
    operations,
    types,
    feed,
    storeOf: context.storeOf,
    fleet: store.fleet,
    [Symbol.asyncDispose]: () => feed[Symbol.asyncDispose](),
  }
}

/** The stores of the native resources that do not use the common one as it is. */
function storesOf(
  natives: ReadonlyMap<string, NativeResource>,
  common: ResourceStore,
): ReadonlyMap<string, ResourceStore> {
  const stores = new Map<string, ResourceStore>()
  for (const [key, { store, complete }] of natives) {
    if (complete) stores.set(key, completedStore(store ?? common, complete))
    else if (store) stores.set(key, store)
  }
  return stores
}

/** The types of a program without definitions: those of its native resources. */
export function nativeTypes(resources: readonly NativeResource[]): TypeRegistry {
  const byPlane = new Map<string, PlaneTypes>()
  return {
    typesOf: (plane) => {
      const served = resources.filter(({ servedIn }) => servedIn?.(plane) ?? true)
      // Planes that serve the same resources share the list.
      const key = served.map(({ type }) => resourceKey(type)).join()
      const types = byPlane.get(key) ?? planeTypesOf(served.map(({ type }) => type))
      byPlane.set(key, types)
      return Promise.resolve(types)
    },
  }
}

function planeTypesOf(types: readonly ResourceType[]): PlaneTypes {
  return {
    types,
    find: (group, version, plural) =>
      types.find(
        (type) =>
          type.group === group &&
          type.plural === plural &&
          type.versions.some(({ name, served }) => served && name === version),
      ) ?? null,
    findByKind: (group, kind) =>
      types.find((type) => type.group === group && type.kind === kind) ?? null,
  }
}

import type { RequestHandler } from 'express'
import type { Clock } from '../lib/clock.ts'
import type { ObjectFeed } from '../store/objects/feed/object-feed.ts'
import type { FleetReader } from '../store/objects/model/fleet-query.ts'
import type { WatchStreams } from '../http/streams/watch-streams.ts'
import { withBuiltInKinds } from './definitions/built-in-kinds.ts'
import { createKubeHandler, type KubeHandlerOptions } from './http/kube-handler.ts'
import { createServeDocument } from './http/serve-document.ts'
import type { HealthCheck } from '../http/observability/health-probe.ts'
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
import { createContinueTokens } from './operations/reads/continue-token.ts'
import type { Converter } from './model/converter.ts'
import { createObjectOperations } from './operations/object-operations.ts'
import { configurationStore } from './planes/configuration-store.ts'
import { completedStore } from './planes/completed-store.ts'
import type { PlaneStorage } from './planes/plane-storage.ts'
import { createServeList } from './verbs/read-verbs.ts'
import { createServeEndpoint } from './watch/serve-endpoint.ts'
import { createServeWait } from './watch/serve-wait.ts'
import { createServeWatch } from './watch/serve-watch.ts'
import { createWaitForState, type WaitForState } from './watch/wait-for-state.ts'

/** The parts of a control plane that its program chooses. */
export interface ControlPlaneOptions extends Pick<
  KubeHandlerOptions,
  | 'authenticate'
  | 'authorizer'
  | 'bodyLimit'
  | 'createMissing'
  | 'decodeProtobuf'
  | 'delegation'
  | 'isPublic'
> {
  readonly storage: PlaneStorage
  /** Serves further paths of planes. Returns false for paths that it does not know. */
  readonly serveFurther: KubeHandlerOptions['serveDocument']
  readonly build: BuildInfo
  readonly checks: readonly HealthCheck[]
  readonly clock: Clock
  /** The resources that every plane serves. */
  readonly resources: readonly NativeResource[]
  readonly directory: PlaneDirectory
  readonly admission: readonly AdmissionPlugin[]
  readonly typesOf: (natives: readonly NativeResource[]) => TypeRegistry
  readonly convert: Converter
  readonly streams: WatchStreams
  /** Watches without `timeoutSeconds` close at a random time between this and twice this. */
  readonly minWatchTimeoutSeconds: number
  /** Signs the tokens of paged lists. All servers of a database share it. */
  readonly tokenKey: Buffer
  /** How long paged lists stay available. */
  readonly retentionSeconds: number
}

/** A running control plane. */
export interface ControlPlane {
  /** Serves the paths of planes and passes other requests on. */
  readonly handler: RequestHandler
  readonly operations: ObjectOperations
  readonly waitForState: WaitForState
  readonly types: TypeRegistry
  readonly feed: ObjectFeed
  readonly storeOf: OperationsContext['storeOf']
  /** The stored objects of all planes. */
  readonly fleet: FleetReader
}

/** Creates the API of all planes on their storage. */
export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  const { storage, clock, serveFurther } = options
  const resources = withBuiltInKinds(options.resources)
  const { feed, store } = storage
  const types = options.typesOf(resources)
  const natives = new Map(resources.map((resource) => [resourceKey(resource.type), resource]))
  const nativeStores = storesOf(natives, storage)
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
  }
  const operations = createObjectOperations(context)
  const waitForState = createWaitForState(context)
  const serveDocument = createServeDocument({ ...options, types, openApi: createOpenApi() })
  const watching = {
    streams: options.streams,
    minTimeoutSeconds: options.minWatchTimeoutSeconds,
  }
  const handler = createKubeHandler({
    ...options,
    types,
    operations,
    serveDocument: async (document) => (await serveDocument(document)) || serveFurther(document),
    serveList: createServeList(context),
    serveWatch: createServeWatch({ context, ...watching }),
    serveEndpoint: createServeEndpoint(watching),
    serveWait: createServeWait(waitForState, options.streams.closing),
    endpointOf: (type, subresource) => {
      if (type.isCustom) return null
      return natives.get(resourceKey(type))?.endpoints?.[subresource] ?? null
    },
  })
  const { storeOf } = context
  return { handler, operations, waitForState, types, feed, storeOf, fleet: store.fleet }
}

/** The stores of the native resources that do not use the common one as it is. */
function storesOf(
  natives: ReadonlyMap<string, NativeResource>,
  { store: common, configurations }: PlaneStorage,
): ReadonlyMap<string, ResourceStore> {
  const stores = new Map<string, ResourceStore>()
  for (const [key, { store = common, complete, isConfiguration }] of natives) {
    const shown = complete ? completedStore(store, complete) : store
    stores.set(key, isConfiguration ? configurationStore(shown, configurations) : shown)
  }
  return stores
}

/** The types of a program without definitions: those of its native resources. */
export function nativeTypes(resources: readonly NativeResource[]): TypeRegistry {
  const rules = resources.map(({ servedIn }) => servedIn).filter((rule) => rule !== undefined)
  const byRules = new Map<string, PlaneTypes>()
  return {
    typesOf: (plane) => {
      // Planes that serve the same resources share the list. Only rules make a difference.
      let key = ''
      for (const isServed of rules) key += isServed(plane) ? '+' : '-'
      let types = byRules.get(key)
      if (types === undefined) {
        const served = resources.filter(({ servedIn }) => servedIn?.(plane) ?? true)
        types = planeTypesOf(served.map(({ type }) => type))
        byRules.set(key, types)
      }
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

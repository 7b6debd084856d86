import type { Logger } from 'pino'
import { createPlaneAdmission, withAdmissionResources } from '../planes/server/plane-admission.ts'
import { createWebhookClient } from '../planes/admission/webhook-client.ts'
import { createDelegation, type Delegation } from '../planes/delegation/delegation.ts'
import { createEgress, type Egress } from '../http/egress/egress.ts'
import { hostRules } from '../http/egress/host-rules.ts'
import { hyperfleetRoles } from '../exposed-kinds/access/hyperfleet-roles.ts'
import { createRoleResources } from '../planes/access/resources/role-resources.ts'
import { type ControlPlane, createControlPlane, nativeTypes } from '../planes/control-plane.ts'
import { groupedEvents } from '../planes/native/events/events.ts'
import { createConverter } from '../planes/definitions/converter.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from '../planes/definitions/custom-resource-definitions.ts'
import { createTypeRegistry } from '../planes/definitions/type-registry.ts'
import { NATIVE_RESOURCES } from '../planes/native/native-resources.ts'
import { decodeProtobuf } from '../planes/protobuf/decode-protobuf.ts'
import { removeStatesOfPlanes } from '../sandboxes/storage/remove-states-of-planes.ts'
import { openPlaneStorage, type PlaneStorage } from '../planes/planes/plane-storage.ts'
import { createBodyRules } from '../exposed-kinds/body-rules.ts'
import { exposedKinds } from '../exposed-kinds/exposed-kinds.ts'
import type { BodyRules } from '../exposed-kinds/exposed-store.ts'
import type { BaseDocument } from '../hyperfleet/openapi/compose.ts'
import { buildInfo } from '../planes/server/build-info.ts'
import { lagCheck } from '../planes/server/health-checks.ts'
import type { NativeResource } from '../planes/model/native-resource.ts'
import { createSeedContext, type SeedContext } from '../planes/seeding/seed-context.ts'
import { createPlaneSnapshots } from '../planes/snapshots/plane-snapshots.ts'
import type { PlaneObjects } from '../snapshots/http/plane-parts.ts'
import type { CodecOf } from '../store/objects/model/body-codec.ts'
import type { PlanePath } from '../planes/http/plane-path.ts'
import type { Config } from './settings.ts'
import type { FleetMembersOf } from '../fleets/members/fleet-members.ts'
import type { Broadcaster } from '../store/feed/broadcaster.ts'
import type { Context } from '../store/operations/context.ts'
import type { ObjectStore } from '../store/objects/object-store.ts'
import type { Database } from '../store/database/database.ts'
import type { WatchStreams } from '../http/streams/watch-streams.ts'
import type { Clock } from '../lib/clock.ts'
import type { RateLimits } from '../http/auth/rate-limits.ts'
import type { Authentication } from '../http/auth/authenticate.ts'
import type { Envelope } from '../lib/encryption/envelope.ts'
import { configuredEnvelope } from './configured-envelope.ts'
import { createPlaneAccess, type PlaneAccess } from './plane-access.ts'
import { fleetRoles } from '../fleets/access/fleet-roles.ts'
import { createRestorePlugin } from '../sandboxes/access/restore-plugin.ts'
import { sandboxRoles } from '../sandboxes/access/sandbox-roles.ts'
import { createFleets } from './create-fleets.ts'
import { createSandboxes } from './create-sandboxes.ts'
import { sandboxRecords } from '../sandboxes/sandbox-records.ts'
import { createSandboxWorkloads, type SandboxWorkloads } from './sandbox-workloads.ts'
import type { Members } from '../fleets/members/create-members.ts'
import { GROUP } from '../exposed-kinds/resource-type.ts'
import { readListKey } from '../store/objects/storage/read-list-key.ts'
import { createMissingPlane } from '../exposed-kinds/create-missing-plane.ts'
import { storageCodecs } from './storage-codecs.ts'
import {
  type ClusterPlanes,
  createPlaneDirectory,
  PLANE_KIND,
  ROOT_PLANE,
} from '../exposed-kinds/plane-directory.ts'
import type { Readiness } from './readiness.ts'
import { readSandboxdTls } from '../sandboxes/sandboxd/sandboxd-tls.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly streams: WatchStreams
  readonly authentication: Authentication
  readonly rateLimits: RateLimits
  readonly log: Logger
  readonly clock: Clock
  /** The operations of the HyperFleet API, whose kinds planes expose. */
  readonly operations: Context
  readonly base: BaseDocument
  readonly readiness: Pick<Readiness, 'checks' | 'add'>
}

/** The running planes. Disposing them ends their feed. */
export interface Planes extends ControlPlane, AsyncDisposable {
  readonly authorizer: PlaneAccess['authorizer']
  readonly actAs: PlaneAccess['actAs']
  readonly sandboxTokens: PlaneAccess['sandboxTokens']
  /** Requests to the servers of APIServices. */
  readonly egress: Egress
  /** Must be disposed before the server of the API is drained. */
  readonly delegation: Delegation
  /** The objects of planes in snapshots of their clusters. */
  readonly objects: PlaneObjects
  readonly store: ObjectStore
  /** Validates the manifests of templates. */
  readonly seeding: SeedContext
  /** The changes of clusters. */
  readonly clusterFeed: Broadcaster
  /** The members of fleets. Absent on a server with tenants, which serves no fleets. */
  readonly membersOf?: FleetMembersOf
}

/** The most connections to one server of webhooks. */
const WEBHOOK_SOCKETS = 64
/** The most connections to one server of APIServices. Each watch takes one. */
const DELEGATE_SOCKETS = 2000

/** Starts the Kubernetes-style API with the native resources of this program. */
export async function startPlanes(parts: Parts): Promise<Planes> {
  const { config, database, log } = parts
  const directory = createPlaneDirectory(database)
  const envelope = configuredEnvelope(config)
  const workloads = await workloadsOf(parts, () => storage.store)
  const later = { store: () => storage.store, controlPlane: () => controlPlane, workloads }
  const { stored, seeding, members } = storedResources(parts, later)
  const { storage, codecOf } = await openStorage(parts, { directory, stored, envelope })
  const access = createPlaneAccess({ ...parts, storage, directory, envelope })
  const { authorizer, userOf } = access
  const resources = access.withReviews([...stored, groupedEvents(storage.store)])
  const { configurations, startOf, store } = storage
  const types = createTypeRegistry({ natives: nativeTypes(resources), configurations })
  const outgoing = createOutgoing(config)
  const { egress, webhooks, convert } = outgoing
  const delegation = createDelegation({ configurations, egress })
  const others = [access.escalation, createRestorePlugin({ authorizer, read: store.read })]
  const admissionParts = { database, storage, types, convert, webhooks, authorizer, log, others }
  const createMissing = config.planesOnFirstAccess
    ? createMissingPlane({ controlPlane: () => controlPlane, authorizer, directory, group: GROUP })
    : null
  parts.readiness.add(lagCheck('planes', storage.feed))
  const controlPlane: ControlPlane = createControlPlane({
    ...requestOptions(parts),
    storage,
    resources,
    directory,
    admission: createPlaneAdmission(admissionParts),
    typesOf: () => types,
    convert,
    delegation,
    tokenKey: await readListKey(database),
    authenticate: access.authenticate,
    authorizer,
    serveFurther: access.serveOpenid,
    ...(createMissing && { createMissing }),
  })
  const reading = { database, codecOf, types, configurations, authorizer }
  const snapshots = createPlaneSnapshots({ ...reading, resources, startOf, follow: store.follow })
  return {
    ...controlPlane,
    authorizer,
    actAs: access.actAs,
    sandboxTokens: access.sandboxTokens,
    objects: planeObjects({ snapshots, userOf }, { createMissing, directory }),
    clusterFeed: parts.operations.feed.broadcaster,
    ...(members && { membersOf: members.membersOf }),
    store,
    seeding,
    egress,
    delegation,
    [Symbol.asyncDispose]: async () => {
      outgoing.close()
      workloads[Symbol.dispose]()
      await storage[Symbol.asyncDispose]()
    },
  }
}

/** The workloads of sandboxes, which run on other machines too. */
async function workloadsOf(
  { config, database, log }: Parts,
  store: () => ObjectStore,
): Promise<SandboxWorkloads> {
  return createSandboxWorkloads({
    records: sandboxRecords(database),
    store,
    tls: await readSandboxdTls(config),
    onError: (error) => log.warn({ err: error }, 'the endpoint of a runtime cannot be used'),
  })
}

interface MissingPlanes {
  readonly createMissing: ReturnType<typeof createMissingPlane> | null
  readonly directory: ClusterPlanes
}

/** The objects of planes in snapshots. A snapshot creates a missing cluster as other requests do. */
function planeObjects(
  objects: Pick<PlaneObjects, 'snapshots' | 'userOf'>,
  { createMissing, directory }: MissingPlanes,
): PlaneObjects {
  if (!createMissing) return objects
  return {
    ...objects,
    createMissing: async (reference, user) =>
      (await directory.find(reference)) ??
      createMissing(reference, { userIn: () => Promise.resolve(user) }, { dryRun: false }),
  }
}

/** Requests to servers outside of this program. */
function createOutgoing({ webhookAllowedHosts }: Config) {
  const rules = hostRules('WEBHOOK_ALLOWED_HOSTS', webhookAllowedHosts)
  const toWebhooks = createEgress({ rules, maxSockets: WEBHOOK_SOCKETS })
  const egress = createEgress({ rules, maxSockets: DELEGATE_SOCKETS })
  const webhooks = createWebhookClient({ egress: toWebhooks })
  const close = (): void => {
    toWebhooks[Symbol.dispose]()
    egress[Symbol.dispose]()
  }
  return { egress, webhooks, close, convert: createConverter({ callWebhook: webhooks.call }) }
}

/** The resources with objects. Reviews have none. */
function storedResources(
  parts: Parts,
  { store, controlPlane, workloads }: LaterParts,
): StoredResources {
  const { config, operations, base, database, clock } = parts
  const { registry } = operations
  const rules = createBodyRules({ base, registry, bodyLimit: config.bodyLimitBytes })
  const others = withAdmissionResources(
    () => database,
    [
      ...NATIVE_RESOURCES,
      CUSTOM_RESOURCE_DEFINITIONS,
      ...createRoleResources((plane) => [
        ...hyperfleetRoles(plane, registry.kinds),
        ...fleetRoles(plane),
        ...sandboxRoles(plane),
      ]),
      ...createSandboxes({ config, workloads, controlPlane, clock }),
      ...hyperfleetKinds(parts, rules),
    ],
  )
  const seeding = createSeedContext(others)
  if (config.tenantHeaders.length > 0) return { stored: others, seeding, members: null }
  const fleets = createFleets({ config, operations, rules, seeding, store })
  return { stored: [...others, ...fleets.resources], seeding, members: fleets.members }
}

/** Parts that resources use once they are created. */
interface LaterParts {
  readonly store: () => ObjectStore
  readonly controlPlane: () => ControlPlane
  readonly workloads: SandboxWorkloads
}

interface StoredResources {
  readonly stored: readonly NativeResource[]
  readonly seeding: SeedContext
  /** Null if the server has no fleets. */
  readonly members: Members | null
}

interface Stored {
  readonly directory: ClusterPlanes
  readonly stored: readonly NativeResource[]
  readonly envelope: Envelope | null
}

async function openStorage(
  { config, database, log, operations }: Parts,
  { directory, stored, envelope }: Stored,
): Promise<{ readonly storage: PlaneStorage; readonly codecOf: CodecOf }> {
  const codecOf = storageCodecs(envelope)
  const storage = await openPlaneStorage({
    removeRecords: removeStatesOfPlanes,
    database,
    replicas: operations.replicas,
    directory,
    resources: stored,
    codecOf,
    retentionSeconds: config.planeFeedRetention,
    changesPerPlane: config.planeFeedRetentionChanges,
    configurationBytes: config.planeCacheBytes,
    timeoutMs: config.statementTimeoutMs,
    onError: (error) => log.warn({ err: error }, 'the feed of objects waits'),
  })
  return { storage, codecOf }
}

/** The parts of requests that depend on settings alone. */
function requestOptions({ config, streams, clock, readiness }: Parts) {
  return {
    clock,
    streams,
    minWatchTimeoutSeconds: config.planeWatchMinTimeout,
    retentionSeconds: config.planeFeedRetention,
    isPublic: ({ prefix, path }: PlanePath) => prefix === '' && PUBLIC_PATHS.has(path),
    build: buildInfo('flotilla', config.revision),
    checks: readiness.checks,
    decodeProtobuf,
    bodyLimit: config.planeBodyLimitBytes,
  }
}

/** Paths at the root of the server that need no token. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/version', '/livez', '/readyz', '/healthz'])

/** The kinds of the HyperFleet API, unless their resources belong to tenants. */
function hyperfleetKinds(
  { config, operations }: Parts,
  rules: BodyRules,
): readonly NativeResource[] {
  if (config.tenantHeaders.length > 0) return []
  return exposedKinds({
    context: operations,
    family: config.conditionFamily,
    rules,
    planeKind: PLANE_KIND,
    rootPlane: ROOT_PLANE.plane,
  })
}

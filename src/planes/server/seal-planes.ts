import type { Parts } from '../../capability/capability.ts'
import { createEgress, type Egress } from '../../http/egress/egress.ts'
import { hostRules } from '../../http/egress/host-rules.ts'
import {
  createTrustedCertificates,
  type TrustedCertificates,
} from '../../http/server/tls/trusted-certificates.ts'
import { configuredEnvelope, type Envelope } from '../../lib/encryption/envelope.ts'
import type { CodecOf } from '../../store/objects/model/body-codec.ts'
import type { PlaneConfigurations } from '../../store/objects/model/plane-configuration.ts'
import type { ObjectStore } from '../../store/objects/object-store.ts'
import { readListKey } from '../../store/objects/storage/read-list-key.ts'
import { createRoleResources } from '../access/resources/role-resources.ts'
import { createSecretCodec } from '../access/secrets/secret-codec.ts'
import { createWebhookClient } from '../admission/webhook-client.ts'
import { type ControlPlane, createControlPlane, nativeTypes } from '../control-plane.ts'
import { createConverter } from '../definitions/converter.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from '../definitions/custom-resource-definitions.ts'
import { createTypeRegistry } from '../definitions/type-registry.ts'
import { createDelegation, type Delegation } from '../delegation/delegation.ts'
import { danglingStatus } from '../flow-control/dangling-status.ts'
import type { AppliedFlow } from '../flow-control/flow-objects.ts'
import { FLOW_SCHEMAS, FLOW_SCHEMAS_KEY } from '../flow-control/flow-schemas.ts'
import { PRIORITY_LEVELS } from '../flow-control/priority-levels.ts'
import { protectedFlowControl } from '../flow-control/protected-objects.ts'
import { createFlowMetrics } from '../flow-control/serve-flow-metrics.ts'
import type { PlanePath } from '../http/plane-path.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import { withRootCertificates } from '../native/core/config-maps/root-certificate-maps.ts'
import { groupedEvents } from '../native/events/events.ts'
import { NATIVE_RESOURCES } from '../native/native-resources.ts'
import type { PlaneConfig } from '../plane-settings.ts'
import { openPlaneStorage, type PlaneStorage } from '../planes/plane-storage.ts'
import { decodeProtobuf } from '../protobuf/decode-protobuf.ts'
import { createSeedContext, type SeedContext } from '../seeding/seed-context.ts'
import { createPlaneSnapshots, type PlaneSnapshots } from '../snapshots/plane-snapshots.ts'
import { buildInfo } from './build-info.ts'
import { lagCheck } from './health-checks.ts'
import { createPlaneAccess, type PlaneAccess } from './plane-access.ts'
import { createPlaneAdmission, withAdmissionResources } from './plane-admission.ts'
import type { PlaneAdditions } from './plane-additions.ts'
import { ROOT_PLANE_ONLY } from './plane-server-options.ts'

/** The running planes. The lifecycle of the server closes them. */
export interface Planes extends ControlPlane {
  readonly authorizer: PlaneAccess['authorizer']
  readonly actAs: PlaneAccess['actAs']
  readonly userOf: PlaneAccess['userOf']
  readonly tokens: PlaneAccess['tokens']
  /** Requests to the servers of APIServices. */
  readonly egress: Egress
  /** Must be disposed before the server of the API is drained. */
  readonly delegation: Delegation
  readonly snapshots: PlaneSnapshots
  readonly store: ObjectStore
  readonly configurations: PlaneConfigurations
  /** The priority levels and flow schemas that requests and `/metrics` show. */
  readonly appliedFlow: AppliedFlow
  /** With which clients verify this server; null without TLS. */
  readonly certificates: TrustedCertificates | null
  /** Validates the manifests of templates. */
  readonly seeding: SeedContext
}

/** The most connections to one server of webhooks. */
const WEBHOOK_SOCKETS = 64
/** The most connections to one server of APIServices. Each watch takes one. */
const DELEGATE_SOCKETS = 2000

type SealingParts = Parts<PlaneConfig>

/** Composes the planes from the native resources of this program and the additions. */
export async function sealPlanes(parts: SealingParts, additions: PlaneAdditions): Promise<Planes> {
  const { certificate, config, database, log } = parts
  const certificates = certificate && createTrustedCertificates(certificate)
  const directory = additions.further?.directory ?? ROOT_PLANE_ONLY
  const envelope = configuredEnvelope(config.secretsEncryptionKeys)
  const codecOf = codecsOf(additions, envelope)
  const { stored, seeding } = storedResources(parts, additions, certificates)
  const storage = await openStorage(parts, additions, { stored, codecOf, certificates })
  const { configurations, startOf, store } = storage
  const appliedFlow: AppliedFlow = { objects: null }
  const access = createPlaneAccess(parts, { storage, envelope, additions, appliedFlow })
  const serveMetrics = createFlowMetrics(appliedFlow)
  const { authorizer } = access
  const resources = access.withReviews([
    ...stored.map((resource) => withDangling(resource, configurations)),
    groupedEvents(store),
  ])
  const types = createTypeRegistry({ natives: nativeTypes(resources), configurations, store })
  const { egress, webhooks, convert } = createOutgoing(parts)
  const delegation = createDelegation({ configurations, egress })
  const added = additions.admission.map((create) => create({ authorizer, read: store.read }))
  const others = [access.escalation, protectedFlowControl, ...added]
  const admissionParts = { database, storage, types, convert, webhooks, authorizer, log, others }
  parts.readiness.add(lagCheck('planes', storage.feed))
  const createMissing = additions.further?.createMissing
  const controlPlane = createControlPlane({
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
    serveFurther: async (document) =>
      (await access.serveOpenid(document)) || serveMetrics(document),
    ...(createMissing && { createMissing }),
  })
  const reading = { database, codecOf, types, configurations, authorizer }
  return {
    ...controlPlane,
    authorizer,
    actAs: access.actAs,
    userOf: access.userOf,
    tokens: access.tokens,
    snapshots: createPlaneSnapshots({ ...reading, resources, startOf, follow: store.follow }),
    store,
    configurations,
    appliedFlow,
    certificates,
    seeding,
    egress,
    delegation,
  }
}

/** The resource; flow schemas with their computed condition. */
function withDangling(
  resource: NativeResource,
  configurations: PlaneConfigurations,
): NativeResource {
  if (resourceKey(resource.type) !== FLOW_SCHEMAS_KEY) return resource
  return { ...resource, complete: danglingStatus(configurations) }
}

/** Requests to servers outside of this program. */
function createOutgoing({ config, lifecycle }: SealingParts) {
  const rules = hostRules('WEBHOOK_ALLOWED_HOSTS', config.webhookAllowedHosts)
  const toWebhooks = createEgress({ rules, maxSockets: WEBHOOK_SOCKETS })
  const egress = createEgress({ rules, maxSockets: DELEGATE_SOCKETS })
  const webhooks = createWebhookClient({ egress: toWebhooks })
  lifecycle.onClose('connections of planes', () => {
    toWebhooks[Symbol.dispose]()
    egress[Symbol.dispose]()
  })
  return { egress, webhooks, convert: createConverter({ callWebhook: webhooks.call }) }
}

/** How the bodies of resources are stored: secrets are encrypted if there is a key. */
function codecsOf({ codecs }: PlaneAdditions, envelope: Envelope | null): CodecOf {
  const added = [...codecs].map(([resource, create]) => [resource, create(envelope)] as const)
  const all = new Map([['secrets', createSecretCodec(envelope)], ...added])
  return (resource) => all.get(resource) ?? null
}

interface StoredResources {
  readonly stored: readonly NativeResource[]
  readonly seeding: SeedContext
}

/** The resources with objects. Reviews have none. */
function storedResources(
  { database }: SealingParts,
  { resources, roles, unseeded }: PlaneAdditions,
  certificates: TrustedCertificates | null,
): StoredResources {
  const seeded = withAdmissionResources(
    () => database,
    [
      ...(certificates
        ? withRootCertificates(NATIVE_RESOURCES, certificates.current)
        : NATIVE_RESOURCES),
      CUSTOM_RESOURCE_DEFINITIONS,
      FLOW_SCHEMAS,
      PRIORITY_LEVELS,
      ...createRoleResources((plane) => roles.flatMap((rolesOf) => rolesOf(plane))),
      ...resources,
    ],
  )
  const seeding = createSeedContext(seeded)
  return { stored: [...seeded, ...unseeded.flatMap((create) => create(seeding))], seeding }
}

interface Stored {
  readonly certificates: TrustedCertificates | null
  readonly stored: readonly NativeResource[]
  readonly codecOf: CodecOf
}

async function openStorage(
  { config, database, lifecycle, log, replicas }: SealingParts,
  { further, removals }: PlaneAdditions,
  { certificates, stored, codecOf }: Stored,
): Promise<PlaneStorage> {
  const storage = await openPlaneStorage({
    removeRecords: async (...removed) => {
      for (const remove of removals) await remove(...removed)
    },
    database,
    replicas,
    directory: further?.directory ?? ROOT_PLANE_ONLY,
    resources: stored,
    ...(certificates && { followInitial: certificates.follow }),
    codecOf,
    retentionSeconds: config.planeFeedRetention,
    changesPerPlane: config.planeFeedRetentionChanges,
    configurationBytes: config.planeCacheBytes,
    timeoutMs: config.statementTimeoutMs,
    onError: (error) => log.warn({ err: error }, 'the feed of objects waits'),
  })
  lifecycle.onClose('planes', () => storage[Symbol.asyncDispose]())
  return storage
}

/** The parts of requests that depend on settings alone. */
function requestOptions({ api, config, clock, readiness }: SealingParts) {
  return {
    clock,
    streams: api.streams,
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

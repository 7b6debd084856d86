import type { Logger } from 'pino'
import { type ControlPlane, nativeTypes, startControlPlane } from '../apis/kube/control-plane.ts'
import { NATIVE_RESOURCES } from '../apis/kube/native/native-resources.ts'
import { decodeProtobuf } from '../apis/kube/protobuf/decode-protobuf.ts'
import { createBodyRules } from '../apis/hyperfleet/plane-resources/body-rules.ts'
import { exposedKinds } from '../apis/hyperfleet/plane-resources/exposed-kinds.ts'
import type { BaseDocument } from '../apis/hyperfleet/openapi/compose.ts'
import type { BuildInfo } from '../apis/kube/discovery/server-documents.ts'
import type { Config } from '../config/settings.ts'
import type { Context } from '../core/operations/context.ts'
import type { Database } from '../core/storage/database/database.ts'
import type { WatchStreams } from '../http/streams/watch-streams.ts'
import type { Clock } from '../lib/clock.ts'
import { createPlaneDirectory, PLANE_KIND, ROOT_PLANE } from './plane-directory.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly streams: WatchStreams
  readonly log: Logger
  readonly clock: Clock
  /** The operations of the HyperFleet API, whose kinds planes expose. */
  readonly operations: Context
  readonly base: BaseDocument
}

/** Starts the Kubernetes-style API with the native resources of this program. */
export function startPlanes({
  config,
  database,
  streams,
  log,
  clock,
  operations,
  base,
}: Parts): Promise<ControlPlane> {
  const { registry } = operations
  const exposed =
    config.tenantHeaders.length > 0
      ? []
      : exposedKinds({
          context: operations,
          family: config.conditionFamily,
          rules: createBodyRules({ base, registry, bodyLimit: config.bodyLimitBytes }),
          planeKind: PLANE_KIND,
          rootPlane: ROOT_PLANE.plane,
        })
  return startControlPlane({
    database,
    clock,
    resources: [...NATIVE_RESOURCES, ...exposed],
    directory: createPlaneDirectory(database),
    admission: [],
    typesOf: nativeTypes,
    convert: (objects) => Promise.resolve(objects),
    codecOf: () => null,
    streams,
    minWatchTimeoutSeconds: 1800,
    tokenKey: Buffer.from('flotilla'),
    retentionSeconds: 3600,
    changesPerPlane: 100_000,
    timeoutMs: config.statementTimeoutMs,
    onError: (error) => log.warn({ err: error }, 'the feed of objects waits'),
    authenticate: () =>
      Promise.resolve({
        name: 'system:admin',
        uid: '',
        groups: ['system:masters', 'system:authenticated'],
        extra: {},
      }),
    authorizer: { authorize: () => Promise.resolve({ allowed: true, reason: '' }) },
    isPublic: () => false,
    build: buildInfo(config),
    checks: [{ name: 'ping', isVital: true, problem: () => null }],
    decodeProtobuf,
    bodyLimit: 3 * 1024 * 1024,
  })
}

function buildInfo({ revision }: Config): BuildInfo {
  return {
    name: 'flotilla',
    commit: revision ?? '',
    date: '',
    runtime: process.version,
    platform: `${process.platform}/${process.arch}`,
  }
}

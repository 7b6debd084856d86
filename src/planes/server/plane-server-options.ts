import type { Logger } from 'pino'
import type { Database } from '../../store/database/database.ts'
import type { WebhookClient } from '../admission/webhook-client.ts'
import type { TypeRegistry } from '../model/type-registry.ts'
import type { Converter } from '../model/converter.ts'
import type { PlaneStorage } from '../planes/plane-storage.ts'
import type { Log } from '../../lib/log/log.ts'
import type { CodecOf } from '../../store/objects/model/body-codec.ts'
import type { CertificateSource } from '../../http/server/tls/certificate-source.ts'
import { MASTERS } from '../access/system-groups.ts'
import type { KubeHandlerOptions } from '../http/kube-handler.ts'
import type { HealthCheck } from '../../http/observability/health-probe.ts'
import type { PlaneDirectory } from '../http/plane-directory.ts'
import type { PlaneAuthorizer } from '../model/access.ts'
import type { AdmissionPlugin } from '../model/admission.ts'
import type { NativeResource } from '../model/native-resource.ts'
import type { UserInfo } from '../model/user-info.ts'
import { ROOT_PLANE } from '../planes/root-plane.ts'

/** The parts of a server that its program chooses. Only the first two are required. */
export interface PlaneServerOptions {
  /** 0 for a free port. */
  readonly port: number
  /**
   * The resources that every plane serves. Namespaced resources need `NAMESPACES`; definitions of
   * custom resources are served if `CUSTOM_RESOURCE_DEFINITIONS` is in the list.
   */
  readonly resources: readonly NativeResource[]
  /**
   * A PostgreSQL database, whose tables the server creates and migrates. By default, the server runs
   * its own PostgreSQL.
   */
  readonly databaseUrl?: string
  /** Directory of the server's own PostgreSQL; `.flotilla` by default. */
  readonly dataDir?: string
  /** The address to listen on; the loopback address by default. */
  readonly host?: string
  /** Names that clients may call the server, in addition to `localhost`, if every caller is accepted. */
  readonly hostNames?: readonly string[]
  /** The URL of the server as browsers see it. By default, the `Host` header counts. */
  readonly publicUrl?: string
  /** Finds planes other than that at the root. By default there are none. */
  readonly directory?: PlaneDirectory
  /** Authentication, authorization, admission, and resources that need the storage. */
  readonly services?: (foundation: PlaneFoundation) => PlaneServices
  /** Encodes bodies in the database, for example to encrypt secrets. */
  readonly codecOf?: CodecOf
  /** Hosts that conversion webhooks and delegated API services may have. None by default. */
  readonly allowedHosts?: readonly string[]
  /** Signs the tokens of paged lists. Servers that share a database need the same one. */
  readonly tokenKey?: Buffer
  readonly checks?: readonly HealthCheck[]
  /** Name in the version of the server, such as `v1.35.0+sample`. */
  readonly name?: string
  readonly certificate?: CertificateSource
  readonly log?: Logger
}

/** The running parts on which services are built. */
export interface PlaneFoundation {
  readonly database: Database
  readonly storage: PlaneStorage
  /** The types that planes serve. Requests may use it; services are created before it is complete. */
  readonly types: TypeRegistry
  readonly convert: Converter
  /** Calls webhooks on the allowed hosts. */
  readonly webhooks: WebhookClient
  /** Discards messages if the program has no log. */
  readonly log: Log
}

/** The parts of a server that its program adds on the foundation. */
export interface PlaneServices {
  /** By default every caller is an administrator: only for trusted networks. */
  readonly authenticate?: KubeHandlerOptions['authenticate']
  /** By default every user may do everything. */
  readonly authorizer?: PlaneAuthorizer
  readonly admission?: readonly AdmissionPlugin[]
  /** Further resources, such as reviews. They have no initial objects. */
  readonly resources?: readonly NativeResource[]
}

/** The directory of a server that has only the plane at its root. */
export const ROOT_PLANE_ONLY: PlaneDirectory = {
  find: (reference) => Promise.resolve(reference === ROOT_PLANE ? ROOT_RECORD : null),
}

const ROOT_RECORD = { plane: ROOT_PLANE, createdTime: new Date('2026-01-01T00:00:00Z') }

const ADMINISTRATOR: UserInfo = {
  name: 'system:admin',
  uid: '',
  groups: [MASTERS, 'system:authenticated'],
  extra: {},
}

/** Accepts every caller as an administrator. */
export const acceptEveryCaller: KubeHandlerOptions['authenticate'] = () =>
  Promise.resolve({ userIn: () => Promise.resolve(ADMINISTRATOR) })

/** Allows every operation. */
export const ALLOW_EVERYTHING: PlaneAuthorizer = {
  authorize: () => Promise.resolve({ allowed: true, reason: '' }),
}

import type { BodyCodec } from '../../store/objects/model/body-codec.ts'
import type { ObjectKey, StoredObject } from '../../store/objects/model/stored-object.ts'
import type { RemoveRecords } from '../../store/objects/storage/remove-records.ts'
import type { Envelope } from '../../lib/encryption/envelope.ts'
import type { AdditionalRoles } from '../access/resources/role-resources.ts'
import type { SandboxReference } from '../access/tokens/token-claims.ts'
import type { InProcessOptions } from '../controllers/client/in-process/in-process-options.ts'
import type { StartController } from '../controllers/runtime/start-in-order.ts'
import type { KubeHandlerOptions } from '../http/kube-handler.ts'
import type { PlaneDirectory } from '../http/plane-directory.ts'
import type { PlaneAuthorizer } from '../model/access.ts'
import type { AdmissionPlugin } from '../model/admission.ts'
import type { NativeResource } from '../model/native-resource.ts'
import type { UserInfo } from '../model/user-info.ts'
import type { SeedContext } from '../seeding/seed-context.ts'

/** The planes besides that of the server itself. */
export interface FurtherPlanes {
  readonly directory: PlaneDirectory
  /** The tenant of a plane; null if it belongs to none, or does not exist. */
  readonly tenantOf: (plane: string) => Promise<string | null>
  /** Changes the decisions about requests in planes. */
  readonly authorizer: <A extends PlaneAuthorizer>(authorizer: A) => A
  /** Whether a user administers a plane, by the roles of the root plane. */
  readonly administers: (
    root: PlaneAuthorizer,
  ) => (plane: string, user: UserInfo) => Promise<boolean>
  /** Creates a missing plane for a request; null if none does. */
  readonly createMissing: NonNullable<KubeHandlerOptions['createMissing']> | null
  /** Sends the changes of the clusters with a label. */
  readonly subscribeClusters: NonNullable<InProcessOptions['subscribeClusters']>
}

interface AdmissionParts {
  readonly authorizer: PlaneAuthorizer
  readonly read: (key: ObjectKey) => Promise<StoredObject | null>
}

/** The additions of other capabilities to planes, before these are sealed. */
export interface PlaneAdditions {
  readonly resources: NativeResource[]
  /** Resources that the seeds of planes cannot contain. */
  readonly unseeded: ((seeding: SeedContext) => readonly NativeResource[])[]
  readonly roles: AdditionalRoles[]
  /** How the bodies of a resource are stored, by its key. */
  readonly codecs: Map<string, (envelope: Envelope | null) => BodyCodec>
  readonly admission: ((parts: AdmissionParts) => AdmissionPlugin)[]
  /** Remove the rows of other capabilities with planes. */
  readonly removals: RemoveRecords[]
  /** Controllers, for a process whose API listens on a port; 0 if it does not serve the API. */
  readonly controllers: ((port: number) => StartController)[]
  /** Null if the root plane is the only one. */
  further: FurtherPlanes | null
  /** Whether an instance of a sandbox runs, or is about to. Tokens of others are invalid. */
  isRunning: (sandbox: SandboxReference) => Promise<boolean>
}

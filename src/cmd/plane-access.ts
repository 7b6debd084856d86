import {
  createClusterAdministrators,
  withHyperfleetKinds,
} from '../exposed-kinds/access/plane-access.ts'
import { createEscalationPlugin } from '../planes/access/escalation/escalation-plugin.ts'
import { createKubeAuthenticator } from '../planes/access/identity/kube-authenticator.ts'
import { createPermissiveAuthorizer } from '../planes/access/permissive-authorizer.ts'
import { createRbacAuthorizer, type RbacAuthorizer } from '../planes/access/rbac/rbac-authorizer.ts'
import { CLUSTER_ROLES } from '../planes/access/rbac/role-objects.ts'
import { completeClusterRoles } from '../planes/access/resources/complete-cluster-roles.ts'
import { createAccessReviews } from '../planes/access/reviews/access-reviews.ts'
import { createIdentityReviews } from '../planes/access/reviews/identity-reviews.ts'
import { createRulesReview } from '../planes/access/reviews/rules-review.ts'
import { createOpenidDocuments } from '../planes/http/serve-openid.ts'
import { createServiceAccountTokens } from '../planes/access/tokens/service-account-tokens.ts'
import { createSigningKeys } from '../planes/access/tokens/signing-keys.ts'
import { createTokenRequestHandler } from '../planes/access/tokens/token-request.ts'
import type { KubeHandlerOptions } from '../planes/http/kube-handler.ts'
import type { AdmissionPlugin } from '../planes/model/admission.ts'
import type { NativeResource } from '../planes/model/native-resource.ts'
import { resourceKey } from '../planes/model/resource-type.ts'
import type { UserInfo } from '../planes/model/user-info.ts'
import type { PlaneStorage } from '../planes/planes/plane-storage.ts'
import { ROOT_PLANE } from '../planes/planes/root-plane.ts'
import type { Config } from './settings.ts'
import type { Caller } from '../access/principal.ts'
import { isAdministrator } from '../access/administrators.ts'
import type { Database } from '../store/database/database.ts'
import type { Authentication } from '../http/auth/authenticate.ts'
import type { ActAs } from '../http/auth/impersonate.ts'
import type { RateLimits } from '../http/auth/rate-limits.ts'
import { setCaller } from '../http/auth/caller.ts'
import type { Clock } from '../lib/clock.ts'
import type { Envelope } from '../lib/encryption/envelope.ts'
import type { ApiTokens } from '../sandboxes/controllers/sandboxes/api-tokens.ts'
import { sandboxApiProblem } from './sandbox-start-problem.ts'
import { createSandboxTokens, isSandboxRunning } from '../sandboxes/sandbox-tokens.ts'
import type { ClusterPlanes } from '../exposed-kinds/plane-directory.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly storage: PlaneStorage
  readonly directory: ClusterPlanes
  readonly authentication: Authentication
  readonly rateLimits: RateLimits
  readonly envelope: Envelope | null
}

/** Authentication and authorization of the planes. */
export interface PlaneAccess {
  readonly authorizer: RbacAuthorizer
  readonly authenticate: KubeHandlerOptions['authenticate']
  /** The user in planes of a caller of the HyperFleet API. */
  readonly userOf: (caller: Caller) => UserInfo
  /** Lets callers of the HyperFleet API act as other users. */
  readonly actAs: ActAs
  /** Completes the stored resources with tokens, and adds the reviews. */
  readonly withReviews: (stored: readonly NativeResource[]) => readonly NativeResource[]
  readonly escalation: AdmissionPlugin
  /** The tokens with which sandboxes use the API. */
  readonly sandboxTokens: ApiTokens
  readonly serveOpenid: KubeHandlerOptions['serveDocument']
}

/** Creates the parts that decide who may do what in the planes. */
export function createPlaneAccess(parts: Parts): PlaneAccess {
  const { config, database, clock, storage, directory, envelope, rateLimits } = parts
  const maxTokenAge = config.serviceAccountTokenMaxAge
  const keys = createSigningKeys({ database, envelope, clock, maxTokenAge })
  const issuerOf = (plane: string): string =>
    `${config.serviceAccountIssuer}/clusters/${plane}/control-plane`
  const readObject = storage.store.read
  const tokens = createServiceAccountTokens({
    keys,
    clock,
    issuerOf,
    readObject,
    isRunning: (sandbox) => isSandboxRunning(database, sandbox),
  })
  const authorizer = withHyperfleetKinds(authorizerOf(parts))
  const authenticator = createKubeAuthenticator({
    ...parts.authentication,
    authorizer,
    tokens,
    tenantOf: async (plane) => (await directory.find(plane))?.tenant || null,
  })
  const problem = sandboxApiProblem(config)
  const complete = completeClusterRoles(storage.configurations)
  const token = createTokenRequestHandler({ tokens, readObject, maxTokenAge })
  return {
    authorizer,
    authenticate: async (request, response) => {
      const { caller, userIn } = await rateLimits.authenticated(request, () =>
        authenticator.authenticate(request),
      )
      setCaller(response, caller)
      rateLimits.requireAllowed(request, caller)
      const { tenancy } = caller
      return {
        tenant: tenancy.type === 'tenant' ? tenancy.tenant : null,
        userIn: async ({ plane }) => {
          if (tenancy.type !== 'tenant') return userIn(plane)
          // The root plane belongs to all tenants, so that only roles can protect it.
          if (plane === ROOT_PLANE) return config.authorization === 'rbac' ? userIn(plane) : null
          const cluster = await directory.find(plane)
          return cluster?.tenant === tenancy.tenant ? userIn(plane) : null
        },
      }
    },
    userOf: authenticator.userOf,
    actAs: authenticator.actAs,
    withReviews: (stored) => [
      ...stored.map((resource) => completed(resource, { complete, token })),
      ...createAccessReviews(authorizer),
      createRulesReview(authorizer),
      ...createIdentityReviews(authenticator),
    ],
    escalation: createEscalationPlugin(authorizer),
    sandboxTokens: createSandboxTokens({ tokens, readObject, clock, maxTokenAge, problem }),
    serveOpenid: createOpenidDocuments({ keys, issuerOf }),
  }
}

interface Completion {
  readonly complete: ReturnType<typeof completeClusterRoles>
  readonly token: ReturnType<typeof createTokenRequestHandler>
}

/** A stored resource with the parts that depend on roles and tokens. */
function completed(resource: NativeResource, { complete, token }: Completion): NativeResource {
  const key = resourceKey(resource.type)
  if (key === CLUSTER_ROLES) return { ...resource, complete }
  if (key !== 'serviceaccounts') return resource
  return { ...resource, subresources: { ...resource.subresources, token } }
}

function authorizerOf({ config, storage, directory }: Parts): RbacAuthorizer {
  const { configurations } = storage
  if (config.authorization === 'none') return createPermissiveAuthorizer(configurations)
  const administers = createClusterAdministrators({
    root: { authorize: (attributes) => rbac.authorize(attributes) },
    nameOf: async (cluster) => (await directory.find(cluster))?.name ?? null,
  })
  const rbac = createRbacAuthorizer({
    configurations,
    isAdministrator: (plane, user) =>
      plane === ROOT_PLANE
        ? isAdministrator(config.authorizationAdmins, user)
        : administers(plane, user),
  })
  return rbac
}

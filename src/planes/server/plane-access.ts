import { createEscalationPlugin } from '../access/escalation/escalation-plugin.ts'
import {
  createKubeAuthenticator,
  type KubeAuthenticator,
} from '../access/identity/kube-authenticator.ts'
import { createPermissiveAuthorizer } from '../access/permissive-authorizer.ts'
import { createRbacAuthorizer, type RbacAuthorizer } from '../access/rbac/rbac-authorizer.ts'
import { CLUSTER_ROLES } from '../access/rbac/role-objects.ts'
import { completeClusterRoles } from '../access/resources/complete-cluster-roles.ts'
import { createAccessReviews } from '../access/reviews/access-reviews.ts'
import { createIdentityReviews } from '../access/reviews/identity-reviews.ts'
import { createRulesReview } from '../access/reviews/rules-review.ts'
import { createOpenidDocuments } from '../http/serve-openid.ts'
import {
  createServiceAccountTokens,
  type ServiceAccountTokens,
} from '../access/tokens/service-account-tokens.ts'
import { createSigningKeys } from '../access/tokens/signing-keys.ts'
import { createTokenRequestHandler } from '../access/tokens/token-request.ts'
import type { AppliedFlow } from '../flow-control/flow-objects.ts'
import { showFlow } from '../flow-control/show-flow.ts'
import type { KubeHandlerOptions } from '../http/kube-handler.ts'
import type { AdmissionPlugin } from '../model/admission.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import type { UserInfo } from '../model/user-info.ts'
import type { PlaneStorage } from '../planes/plane-storage.ts'
import { ROOT_PLANE } from '../planes/root-plane.ts'
import type { PlaneConfig } from '../plane-settings.ts'
import type { FurtherPlanes, PlaneAdditions } from './plane-additions.ts'
import type { Parts } from '../../capability/capability.ts'
import type { Caller, Tenancy } from '../../access/principal.ts'
import { tenantOfPlane } from '../../access/tenant-plane.ts'
import { isAdministrator } from '../../access/administrators.ts'
import type { ActAs } from '../../http/auth/impersonate.ts'
import { setCaller } from '../../http/auth/caller.ts'
import type { Envelope } from '../../lib/encryption/envelope.ts'

type AccessParts = Pick<
  Parts<PlaneConfig>,
  'api' | 'admission' | 'config' | 'database' | 'clock' | 'rateLimits'
>

interface Access {
  readonly storage: PlaneStorage
  readonly envelope: Envelope | null
  readonly additions: Pick<PlaneAdditions, 'further' | 'isRunning'>
  readonly appliedFlow: AppliedFlow
}

/** Authentication and authorization of the planes. */
export interface PlaneAccess {
  readonly authorizer: RbacAuthorizer
  readonly authenticate: KubeHandlerOptions['authenticate']
  /** The user in planes of a caller of another API of this server. */
  readonly userOf: (caller: Caller) => UserInfo
  /** Lets callers of another API act as other users. */
  readonly actAs: ActAs
  /** Completes the stored resources with tokens, and adds the reviews. */
  readonly withReviews: (stored: readonly NativeResource[]) => readonly NativeResource[]
  readonly escalation: AdmissionPlugin
  readonly tokens: ServiceAccountTokens
  readonly serveOpenid: KubeHandlerOptions['serveDocument']
}

/** Creates the parts that decide who may do what in the planes. */
export function createPlaneAccess(parts: AccessParts, access: Access): PlaneAccess {
  const { api, config, database, clock } = parts
  const { storage, envelope, additions, appliedFlow } = access
  const maxTokenAge = config.serviceAccountTokenMaxAge
  const keys = createSigningKeys({ database, envelope, clock, maxTokenAge })
  const tenantOf = additions.further?.tenantOf ?? NO_TENANT
  const issuerOf = (plane: string): string =>
    `${config.serviceAccountIssuer}/clusters/${plane}/control-plane`
  const readObject = storage.store.read
  const tokens = createServiceAccountTokens({
    keys,
    clock,
    issuerOf,
    readObject,
    isRunning: additions.isRunning,
  })
  const authorizer = authorizerOf(config, access)
  const authenticator = createKubeAuthenticator({
    authenticator: api.authenticator,
    gateway: api.gateway,
    authorizer,
    tokens,
    tenantOf: async (plane) => (await tenantOf(plane)) || null,
  })
  const complete = completeClusterRoles(storage.configurations)
  const token = createTokenRequestHandler({ tokens, readObject, maxTokenAge })
  return {
    authorizer,
    authenticate: createAuthenticate(parts, { authenticator, tenantOf, appliedFlow }),
    userOf: authenticator.userOf,
    actAs: authenticator.actAs,
    withReviews: (stored) => [
      ...stored.map((resource) => completed(resource, { complete, token })),
      ...createAccessReviews(authorizer),
      createRulesReview(authorizer),
      ...createIdentityReviews(authenticator),
    ],
    escalation: createEscalationPlugin(authorizer),
    tokens,
    serveOpenid: createOpenidDocuments({ keys, issuerOf }),
  }
}

interface Senders extends Pick<Access, 'appliedFlow'> {
  readonly authenticator: KubeAuthenticator
  readonly tenantOf: FurtherPlanes['tenantOf']
}

/** Authenticates and admits the requests to planes. */
function createAuthenticate(
  { admission, rateLimits }: Pick<AccessParts, 'admission' | 'rateLimits'>,
  { authenticator, tenantOf, appliedFlow }: Senders,
): KubeHandlerOptions['authenticate'] {
  return async (request, response) => {
    const { caller, userIn } = await rateLimits.authenticated(request, () =>
      authenticator.authenticate(request),
    )
    setCaller(response, caller)
    const ready = admission.admit(request, response, caller)
    showFlow(response, appliedFlow)
    if (ready !== null) await ready
    const { tenancy } = caller
    return {
      tenant: tenancy.type === 'tenant' ? tenancy.tenant : null,
      userIn: async ({ plane }) => {
        const isVisible = await isVisibleTo(tenancy, plane, tenantOf)
        if (!isVisible) return null
        const user = await userIn(plane)
        return tenancy.type === 'system' ? { ...user, servesAllTenants: true } : user
      },
      admitAs: ({ plane }, user) => {
        // Flow schemas name users of the root plane, and other planes decide who acts as whom.
        if (plane !== ROOT_PLANE) return null
        const admitted = admission.admitAs(request, response, {
          caller,
          acting: actAs(caller, user),
        })
        showFlow(response, appliedFlow)
        return admitted
      },
    }
  }
}

function actAs(caller: Caller, { name, groups, uid, extra }: UserInfo): Caller {
  const by = { user: caller.user, groups: caller.groups }
  return { ...caller, user: name, groups, impersonation: { by, uid, extra } }
}

/** Whether a caller sees a plane. Without tenancy, there are no root planes of tenants. */
async function isVisibleTo(
  tenancy: Tenancy,
  plane: string,
  tenantOf: FurtherPlanes['tenantOf'],
): Promise<boolean> {
  switch (tenancy.type) {
    case 'system':
      return true
    case 'none':
      return tenantOfPlane(plane) === null
    case 'tenant':
      return (await tenantOf(plane)) === tenancy.tenant
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

function authorizerOf(
  { authorization, authorizationAdmins }: PlaneConfig,
  { storage: { configurations }, additions: { further } }: Access,
): RbacAuthorizer {
  const complete = further?.authorizer ?? unchanged
  if (authorization === 'none') return complete(createPermissiveAuthorizer(configurations))
  const administers = further?.administers({
    authorize: (attributes) => rbac.authorize(attributes),
  })
  const rbac = createRbacAuthorizer({
    configurations,
    isAdministrator: (plane, user) =>
      plane === ROOT_PLANE
        ? isAdministrator(authorizationAdmins, user)
        : (administers?.(plane, user) ?? false),
  })
  return complete(rbac)
}

const unchanged = <A>(authorizer: A): A => authorizer

const NO_TENANT: FurtherPlanes['tenantOf'] = () => Promise.resolve(null)

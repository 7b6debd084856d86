import type { IncomingMessage } from 'node:http'
import { type Caller, type Principal, UNBOUNDED } from '../../../access/principal.ts'
import { decodeTenant, isTenantIn } from '../../../access/tenant.ts'
import { type Authentication, authorizationOf } from '../../../http/auth/authenticate.ts'
import { bearerToken } from '../../../http/auth/tokens/bearer-token.ts'
import type { ActAs } from '../../../http/auth/impersonate.ts'
import { invalidToken } from '../../../http/auth/tokens/token-errors.ts'
import { SANDBOX_HEADER } from '../../../lib/sandbox-header.ts'
import type { PlaneAuthorizer } from '../../model/access.ts'
import type { UserInfo } from '../../model/user-info.ts'
import { ROOT_PLANE } from '../../planes/root-plane.ts'
import { AUTHENTICATED, isReservedName, MASTERS } from '../system-groups.ts'
import type { ServiceAccountTokens, VerifiedToken } from '../tokens/service-account-tokens.ts'
import { isServiceAccountGroup, serviceAccountOf } from '../rbac/service-account-name.ts'
import { impersonatedUser } from './impersonation.ts'

/** The authenticated sender of a request, before the plane is known. */
export interface PlaneCaller {
  /** Its tenant, the expiry of its token, and its name for the access log. */
  readonly caller: Caller
  /**
   * The user that the request acts as in a plane. Throws a 401 if the token belongs to another
   * plane, and a 403 for an impersonation that is not allowed.
   */
  userIn(plane: string): Promise<UserInfo>
}

/** Identifies the senders of requests to planes. */
export interface KubeAuthenticator {
  /** Throws as the authenticator of tokens does. */
  authenticate(request: IncomingMessage): Promise<PlaneCaller>
  /** The user of a token in a plane, for reviews. Throws if the token is invalid there. */
  authenticateToken(
    token: string,
    review: { readonly plane: string; readonly audiences: readonly string[] },
  ): Promise<{ readonly user: UserInfo; readonly audiences: readonly string[] }>
  /** The user in planes of a caller that another API has authenticated. */
  userOf(caller: Caller): UserInfo
  /** The caller of another API who acts as the user that the headers `Impersonate-*` name. */
  actAs: ActAs
  /** The audience of tokens for the plane's API. */
  audienceOf(plane: string): string
}

interface Options extends Authentication {
  /** Decides about impersonation. */
  readonly authorizer: PlaneAuthorizer
  readonly tokens: ServiceAccountTokens
  /** The tenant of a plane; null for the root plane, and without tenancy. */
  readonly tenantOf: (plane: string) => Promise<string | null>
}

/** The user of all requests if authentication is off, unless a gateway names another one. */
const ADMINISTRATOR = 'system:admin'

/**
 * Accepts tokens of the configured issuers and those of the plane's service accounts. If
 * authentication is off, every caller may do everything.
 */
export function createKubeAuthenticator(options: Options): KubeAuthenticator {
  const { authenticator, authorizer, tokens, tenantOf } = options

  async function withImpersonation(
    request: IncomingMessage,
    plane: string,
    caller: UserInfo,
  ): Promise<UserInfo> {
    return (await impersonatedUser(request, { plane, caller }, authorizer)) ?? caller
  }

  const ownUser = (caller: Caller): UserInfo =>
    authenticator.isOff ? administrator(null) : externalUser(caller)

  return {
    authenticate: async (request) => {
      if (authenticator.isOff) rejectSandbox(request)
      const authorization = authorizationOf(request)
      const own = authenticator.isOff ? null : ownToken(authorization, tokens)
      const verified = own === null ? null : await tokens.verify(own)
      const principal = verified
        ? principalOf(verified)
        : await authenticator.authenticate(authorization)
      const caller = await callerOf(options, request, { principal, verified })
      if (verified) {
        return {
          caller: { ...caller, user: principal.user, plane: verified.plane },
          userIn: async (plane) =>
            withImpersonation(request, plane, await tokens.userOf(verified, plane)),
        }
      }
      const isNamedByGateway = caller.user !== principal.user
      const user = authenticator.isOff
        ? administrator(isNamedByGateway ? caller.user : null)
        : externalUser(caller)
      return {
        caller: { ...caller, user: user.name },
        userIn: (plane) => withImpersonation(request, plane, user),
      }
    },
    authenticateToken: async (token, { plane, audiences }) => {
      if (tokens.isOwn(token)) {
        const verified = await tokens.verify(token)
        const user = await tokens.userOf(verified, plane, audiences)
        return { user, audiences: audiences.filter((name) => verified.audiences.includes(name)) }
      }
      if (authenticator.isOff) throw invalidToken('The token is not the token of a service account')
      const audience = tokens.issuerOf(plane)
      if (!audiences.includes(audience)) {
        throw invalidToken('The token is not intended for this audience')
      }
      const principal = await authenticator.authenticate(`Bearer ${token}`)
      requireBound(principal, await tenantOf(plane))
      return { user: externalUser(principal), audiences: [audience] }
    },
    userOf: (caller) => actingUser(caller) ?? ownUser(caller),
    actAs: createActAs(ownUser, authorizer),
    audienceOf: tokens.issuerOf,
  }
}

interface Credentials {
  readonly principal: Principal
  /** Null for a token of an issuer. */
  readonly verified: VerifiedToken | null
}

/** A token of a sandbox states the tenant, because its requests pass no gateway. */
async function callerOf(
  { gateway, tenantOf }: Pick<Options, 'gateway' | 'tenantOf'>,
  request: IncomingMessage,
  { principal, verified }: Credentials,
): Promise<Caller> {
  if (!verified?.sandbox) return gateway.callerOf(request, principal)
  return gateway.sandboxCaller(request, principal, await tenantOf(verified.plane))
}

/** Lets callers of another API act as other users, by the roles of the root plane. */
function createActAs(ownUser: (caller: Caller) => UserInfo, authorizer: PlaneAuthorizer): ActAs {
  return async (request, caller) => {
    const own = ownUser(caller)
    const user = await impersonatedUser(request, { plane: ROOT_PLANE, caller: own }, authorizer)
    if (user === null) return caller
    const { name, groups, uid, extra } = user
    const by = { user: caller.user, groups: caller.groups }
    return { ...caller, user: name, groups, impersonation: { by, uid, extra } }
  }
}

/** Throws if the issuer of a token is bound to other tenants than that of the plane. */
function requireBound({ bounds: { tenants } }: Principal, tenant: string | null): void {
  if (tenants === null) return
  if (tenant !== null && isTenantIn(tenants, decodeTenant(tenant))) return
  throw invalidToken("The token's issuer is not bound to the tenant of this plane")
}

/** A sandbox has started while the server needed tokens. Now it could do everything. */
function rejectSandbox({ headers }: IncomingMessage): void {
  if (headers[SANDBOX_HEADER] === undefined) return
  throw invalidToken('This server needs no token, so it answers no requests of sandboxes')
}

/** The token of a header if this server issued it, else null. */
function ownToken(authorization: string | undefined, tokens: ServiceAccountTokens): string | null {
  if (authorization === undefined) return null
  const token = bearerToken(authorization)
  return tokens.isOwn(token) ? token : null
}

function principalOf({ namespace, account, keyId, expiresAt }: VerifiedToken): Principal {
  const user = `system:serviceaccount:${namespace}:${account.name}`
  return {
    user,
    groups: [],
    issuer: null,
    bounds: UNBOUNDED,
    keyId,
    expiresAt,
    isRevoked: () => false,
  }
}

function administrator(named: string | null): UserInfo {
  const name = named === null || isReservedName(named) ? ADMINISTRATOR : named
  return { name, uid: '', groups: [MASTERS, AUTHENTICATED], extra: {} }
}

/**
 * The user that a caller acts as; null without impersonation. The service accounts of the root plane
 * are not those of other planes with the same name.
 */
function actingUser({ user, groups, impersonation }: Caller): UserInfo | null {
  if (!impersonation) return null
  const { uid, extra } = impersonation
  const account = serviceAccountOf(user)
  const name = account ? `system:plane:${ROOT_PLANE}:${user.slice('system:'.length)}` : user
  const own = groups.filter((group) => !isServiceAccountGroup(group))
  return { name, uid, groups: own, extra }
}

/** The user of a token of another issuer. Only this server assigns names of the system. */
function externalUser({ user, groups }: Pick<Principal, 'user' | 'groups'>): UserInfo {
  if (isReservedName(user)) {
    throw invalidToken("The user's name begins with 'system:', which is reserved for this server")
  }
  const own = groups.filter((group) => !isReservedName(group))
  return { name: user, uid: '', groups: [...own, AUTHENTICATED], extra: {} }
}

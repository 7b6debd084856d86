import type { TenantDimensions } from './tenant.ts'
import type { NameSpace } from './name-prefixes.ts'

/** The limits of a token issuer. */
interface IssuerBounds {
  /** Also applies to the names that a gateway states beside a token. */
  readonly users: NameSpace
  /** Null for no limit. A tenant must have all dimensions of one of them. */
  readonly tenants: readonly TenantDimensions[] | null
}

/** The limits of callers without a token of an issuer. */
export const UNBOUNDED: IssuerBounds = { users: { prefix: '', all: [] }, tenants: null }

/** An authenticated user. */
export interface Principal {
  /** The name in `created_by` and `updated_by`. */
  readonly user: string
  readonly groups: readonly string[]
  /** The `iss` of the token; null without a token, or if the token has none. */
  readonly issuer: string | null
  /** The limits of the token's issuer. */
  readonly bounds: IssuerBounds
  /** The `kid` of the key that verified the token; null without a token, or if the key has none. */
  readonly keyId: string | null
  /** When the token expires, in milliseconds since 1970; null without a token. */
  readonly expiresAt: number | null
  /** Whether the key that verified the token is no longer in its issuer's key set. */
  readonly isRevoked: () => boolean
}

/** The realm in the challenges of the server. */
export const REALM = 'hyperfleet'

/** The caller of every request if authentication is off. */
export const UNIDENTIFIED: Principal = {
  user: 'system@hyperfleet.local',
  groups: [],
  issuer: null,
  bounds: UNBOUNDED,
  keyId: null,
  expiresAt: null,
  isRevoked: () => false,
}

/** The tenant of a caller. */
export type Tenancy =
  /** The server has no tenancy. */
  | { readonly type: 'none' }
  /** The caller works for all tenants, as sentinels and adapters do. */
  | { readonly type: 'system' }
  | { readonly type: 'tenant'; readonly tenant: string }

/** The sender of a request: a principal and its tenant. */
export interface Caller extends Principal {
  readonly tenancy: Tenancy
  /** Whether a trusted gateway stated the user, instead of a token. */
  readonly isFromGateway: boolean
  /** The plane of a service account; absent for other users. */
  readonly plane?: string
  /** Present if the request acts as another user, whose name and groups are `user` and `groups`. */
  readonly impersonation?: Impersonation
}

/** How a request acts as a user other than its authenticated one. The server has checked the right. */
interface Impersonation {
  /** The authenticated user. */
  readonly by: Pick<Principal, 'user' | 'groups'>
  readonly uid: string
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** The user whose credentials a request has, also if it acts as another one. */
export function authenticatedUser(caller: Caller): Pick<Principal, 'user' | 'groups'> {
  return caller.impersonation?.by ?? caller
}

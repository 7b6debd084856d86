/** An authenticated user. */
export interface Principal {
  /** What `created_by` and `updated_by` show. */
  readonly user: string
  readonly groups: readonly string[]
  /** The `iss` of the token; null without a token, or if the token has none. */
  readonly issuer: string | null
  /** The `kid` of the key that verified the token; null without a token, or if the key has none. */
  readonly keyId: string | null
  /** When the token expires, in milliseconds since 1970; null without a token. */
  readonly expiresAt: number | null
  /** Whether the key that verified the token is no longer in its issuer's key set. */
  readonly isRevoked: () => boolean
}

/** The tenant of a caller. */
export type Tenancy =
  /** The server has no tenancy. */
  | { readonly type: 'none' }
  /** The caller works for all tenants, as sentinels and adapters do. */
  | { readonly type: 'system' }
  | { readonly type: 'tenant'; readonly tenant: string }

/** Who sends a request: a principal within a tenant. */
export interface Caller extends Principal {
  readonly tenancy: Tenancy
}

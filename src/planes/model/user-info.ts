/** The user of a request, as authorizers, webhooks and reviews see it. */
export interface UserInfo {
  readonly name: string
  /** Empty if unknown. */
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
  /** The authenticated user that acts as this one; absent without impersonation. */
  readonly impersonator?: UserInfo
  /** A gateway has marked the caller as a system, which reads the resources of all tenants. */
  readonly servesAllTenants?: true
}

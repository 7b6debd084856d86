/** What makes a repeated create the same one. */
export interface IdempotencyKey {
  readonly tenant: string
  readonly caller: string
  /** The path that the create was sent to. */
  readonly route: string
  readonly key: string
  /** SHA-256 of the request's body. */
  readonly bodyHash: Buffer
}

/**
 * Whether a key of this time counts as forgotten. The database's clock decides, because servers whose
 * clocks differ share the keys.
 */
export function isForgotten(createdTime: string): string {
  return `${createdTime} <= now() - interval '24 hours'`
}

/** Identifies a repeated create. */
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
 * SQL condition: whether a key of this time has expired. The clock of the database decides, because
 * the clocks of the servers may differ.
 */
export function isExpired(createdTime: string): string {
  return `${createdTime} <= now() - interval '24 hours'`
}

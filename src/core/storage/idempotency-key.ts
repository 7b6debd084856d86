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

/** How long a key is remembered. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Keys of this time and older count as forgotten. */
export function forgottenBefore(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS)
}

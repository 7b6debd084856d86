import type { Response } from 'express'

const CALLER = 'caller'
const EXPIRY = 'callerExpiry'

/** Who calls, and until when the caller may. */
export interface Caller {
  readonly identity: string
  /** In milliseconds since 1970; null for ever. */
  readonly expiresAt: number | null
}

/** Keeps who calls, once authentication has told. */
export function setCaller(response: Response, { identity, expiresAt }: Caller): void {
  response.locals[CALLER] = identity
  response.locals[EXPIRY] = expiresAt
}

/** The caller's identity, an e-mail address or what the token has instead; null before it is known. */
export function callerOf(response: Response): string | null {
  const caller: unknown = response.locals[CALLER]
  return typeof caller === 'string' ? caller : null
}

/** When the caller's token expires, in milliseconds since 1970; null where it does not. */
export function callerExpiryOf(response: Response): number | null {
  const expiry: unknown = response.locals[EXPIRY]
  return typeof expiry === 'number' ? expiry : null
}

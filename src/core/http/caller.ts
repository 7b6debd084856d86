import type { Response } from 'express'

const CALLER = 'caller'

/** Keeps who calls, once authentication has told. */
export function setCaller(response: Response, identity: string): void {
  response.locals[CALLER] = identity
}

/** The caller's identity, an e-mail address or what the token has instead; null before it is known. */
export function callerOf(response: Response): string | null {
  const caller: unknown = response.locals[CALLER]
  return typeof caller === 'string' ? caller : null
}

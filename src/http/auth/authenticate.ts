import type { Request, RequestHandler } from 'express'
import { setCaller } from './caller.ts'
import { headerLines } from '../requests/header-lines.ts'
import type { Authenticator } from './authenticator.ts'
import type { Gateway } from './gateway.ts'

/** How callers are identified. */
export interface Authentication {
  readonly authenticator: Authenticator
  readonly gateway: Gateway
}

/**
 * Identifies the caller and its tenant on all paths except the public ones; unknown paths need a
 * caller too.
 */
export function authenticate(
  { authenticator, gateway }: Authentication,
  publicPaths: ReadonlySet<string>,
): RequestHandler {
  return async (request, response, next) => {
    if (!publicPaths.has(request.path)) {
      const principal = await authenticator.authenticate(authorizationOf(request))
      setCaller(response, gateway.callerOf(request, principal))
    }
    next()
  }
}

/**
 * All lines of the header as one value, which is no single token if there are several: Node would
 * keep the first line, a proxy in front may have checked the last.
 */
function authorizationOf(request: Request): string | undefined {
  const { authorization } = request.headers
  return authorization && headerLines(request, 'authorization').join(', ')
}

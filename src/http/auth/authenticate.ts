import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { setCaller } from './caller.ts'
import { headerLines } from '../requests/header-lines.ts'
import type { Authenticator } from './authenticator.ts'
import type { Gateway } from './gateway.ts'
import type { RateLimits } from './rate-limits.ts'

/** Identifies callers by their token and the headers of the gateway. */
export interface Authentication {
  readonly authenticator: Authenticator
  readonly gateway: Gateway
}

/**
 * Identifies the caller and its tenant on all paths except public ones. Unknown paths also need
 * authentication.
 */
export function authenticate(
  { authenticator, gateway, rateLimits }: Authentication & { readonly rateLimits: RateLimits },
  publicPaths: ReadonlySet<string>,
): RequestHandler {
  return async (request, response, next) => {
    if (!publicPaths.has(request.path)) {
      const principal = await rateLimits.authenticated(request, () =>
        authenticator.authenticate(authorizationOf(request)),
      )
      setCaller(response, gateway.callerOf(request, principal))
    }
    next()
  }
}

/**
 * Joins all lines of the header, so that a repeated header is rejected as more than one token. Node
 * keeps only the first line, but a proxy may have checked the last one.
 */
export function authorizationOf(request: IncomingMessage): string | undefined {
  const { authorization } = request.headers
  return authorization && headerLines(request, 'authorization').join(', ')
}

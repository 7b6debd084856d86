import type { Request, RequestHandler } from 'express'
import { setPrincipal } from '../caller.ts'
import { headerLines } from '../plumbing/header-lines.ts'
import type { Authenticator } from './authenticator.ts'

/** Authenticates requests to all paths except the public ones; unknown paths need a caller too. */
export function authenticate(
  authenticator: Authenticator,
  publicPaths: ReadonlySet<string>,
): RequestHandler {
  return async (request, response, next) => {
    if (!publicPaths.has(request.path)) {
      setPrincipal(response, await authenticator.authenticate(authorizationOf(request)))
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

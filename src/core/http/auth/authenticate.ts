import type { RequestHandler } from 'express'
import { setPrincipal } from '../caller.ts'
import type { Authenticator } from './authenticator.ts'

/** Authenticates requests to all paths except the public ones; unknown paths need a caller too. */
export function authenticate(
  authenticator: Authenticator,
  publicPaths: ReadonlySet<string>,
): RequestHandler {
  return async (request, response, next) => {
    if (!publicPaths.has(request.path)) {
      setPrincipal(response, await authenticator.authenticate(request.headers.authorization))
    }
    next()
  }
}

import type { RequestHandler } from 'express'
import { setCaller } from '../caller.ts'
import type { Authenticator } from './authenticator.ts'

/** Finds out who calls, on every path but the public ones; unknown paths need a caller too. */
export function authenticate(
  authenticator: Authenticator,
  publicPaths: ReadonlySet<string>,
): RequestHandler {
  return async (request, response, next) => {
    if (!publicPaths.has(request.path)) {
      setCaller(response, await authenticator.authenticate(request.headers.authorization))
    }
    next()
  }
}

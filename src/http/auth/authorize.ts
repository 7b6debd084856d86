import type { NextFunction, RequestHandler } from 'express'
import type { Access, Authorizer, Decision } from '../../core/auth/authorizer.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { AppRoute } from '../server/app-route.ts'
import { callerOf } from './caller.ts'

/** Adds authorization as the first stage of the route, unless every caller may use the route. */
export function withAuthorization(route: AppRoute, authorizer: Authorizer): AppRoute {
  if (route.access === null) return route
  return { ...route, handlers: [authorize(route.access, authorizer), ...route.handlers] }
}

function authorize(access: Access, authorizer: Authorizer): RequestHandler {
  return (_request, response, next) => {
    const decision = authorizer.authorize(callerOf(response), access)
    // A synchronous decision avoids the cost of a promise.
    if (!(decision instanceof Promise)) {
      requireAllowed(decision)
      next()
      return
    }
    return allowLater(decision, next)
  }
}

async function allowLater(decision: Promise<Decision>, next: NextFunction): Promise<void> {
  requireAllowed(await decision)
  next()
}

function requireAllowed(decision: Decision): void {
  if (!decision.isAllowed) throw new FlotillaError('forbidden', decision.reason)
}

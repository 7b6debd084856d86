import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Access, Authorizer, Decision } from '../../access/authorizer.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { setAuditedOperation } from '../requests/audited-request.ts'
import type { AppRoute } from '../server/app-route.ts'
import { callerOf } from './caller.ts'
import { recordPermission } from './permissions.ts'

/**
 * Adds authorization as the first stage of the route, unless every caller may use the route. The stage
 * also stores the operation for the audit log.
 */
export function withAuthorization(route: AppRoute, authorizer: Authorizer): AppRoute {
  const { access } = route
  if (access === null) return route
  return { ...route, handlers: [authorize({ ...route, access }, authorizer), ...route.handlers] }
}

/**
 * Throws `forbidden` unless the caller may perform an operation that its request contains. Does
 * nothing if the authorizer decides by routes alone.
 */
export async function requireAccess(
  authorizer: Authorizer,
  response: Response,
  access: Access,
): Promise<void> {
  if (!authorizer.isDetailed) return
  const check = async () => requireAllowed(await authorizer.authorize(callerOf(response), access))
  await check()
  recordPermission(response, check)
}

/** Whether the caller may perform all of the operations, if the authorizer decides about them at all. */
export async function hasAccess(
  authorizer: Authorizer,
  response: Response,
  ...accesses: readonly Access[]
): Promise<boolean> {
  if (!authorizer.isDetailed) return true
  const decide = async (access: Access) => authorizer.authorize(callerOf(response), access)
  const decisions = await Promise.all(accesses.map(decide))
  if (!decisions.every(({ isAllowed }) => isAllowed)) return false
  for (const access of accesses) {
    recordPermission(response, async () => requireAllowed(await decide(access)))
  }
  return true
}

function authorize(
  {
    access,
    nameParameter,
    hasDryRun = false,
  }: Pick<AppRoute, 'nameParameter' | 'hasDryRun'> & { readonly access: Access },
  authorizer: Authorizer,
): RequestHandler {
  return (request, response, next) => {
    const detailed = detailedAccess(access, nameParameter ?? null, request)
    const dryRun = hasDryRun && request.query['dryRun'] === 'All'
    storeOperation(response, detailed, dryRun)
    const decide = () =>
      authorizer.authorize(callerOf(response), authorizer.isDetailed ? detailed : access)
    if (detailed.verb === 'watch') {
      recordPermission(response, async () => requireAllowed(await decide()))
    }
    const decision = decide()
    // A synchronous decision avoids the cost of a promise.
    if (!(decision instanceof Promise)) {
      requireAllowed(decision)
      next()
      return
    }
    return allowLater(decision, next)
  }
}

function storeOperation(response: Response, access: Access, dryRun: boolean): void {
  const { verb, resource, subresource, name = '' } = access
  setAuditedOperation(response, { verb, resource, subresource: subresource ?? '', name, dryRun })
}

/** Adds the name in the path, and distinguishes a watch from a list. */
function detailedAccess(
  access: Access,
  nameParameter: string | null,
  { params, query }: Request,
): Access {
  const name = nameParameter === null ? undefined : params[nameParameter]
  const { watch } = query
  const isWatch = access.verb === 'list' && watch !== undefined && watch !== 'false'
  return {
    ...access,
    ...(isWatch && { verb: 'watch' }),
    ...(name !== undefined && { name: String(name) }),
  }
}

async function allowLater(decision: Promise<Decision>, next: NextFunction): Promise<void> {
  requireAllowed(await decision)
  next()
}

function requireAllowed(decision: Decision): void {
  if (!decision.isAllowed) throw new FlotillaError('forbidden', decision.reason)
}

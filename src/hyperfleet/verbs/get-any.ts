import type { RequestHandler } from 'express'
import { readAnyResource } from '../../store/operations/read/read-any-resource.ts'
import { requireAccess } from '../../http/auth/authorize.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import type { ReadContext } from './handler.ts'
import { requireVerb } from './requests/require-verb.ts'
import { sendUnlessKnown } from './responses/send-resource.ts'

/** GET of an item of `/resources`. */
export function getAny(context: ReadContext): RequestHandler {
  const { operations, authorizer, representation } = context
  return async (request, response) => {
    const target = { tenant: tenantOf(response), id: String(request.params['resource_id']) }
    const found = await readAnyResource(operations, target, representation)
    const kind = operations.registry.byName(found.kind)
    requireVerb(request, operations.registry, { kind, verb: 'get', suffix: '' })
    const access = { verb: 'get', resource: kind.plural, subresource: null } as const
    await requireAccess(authorizer, response, { ...access, name: target.id })
    sendUnlessKnown(response, context, found)
  }
}

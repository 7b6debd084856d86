import type { Request, RequestHandler } from 'express'
import { invalid } from '../../../lib/errors.ts'
import { listAllPage } from '../../../core/operations/list/list-all-resources.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'
import type { Registry } from '../../../core/registry/registry.ts'
import { unknownKind } from '../../../core/registry/unknown-kind.ts'
import { listableKinds } from '../../../core/registry/verb.ts'
import { requireAccess } from '../../../http/auth/authorize.ts'
import { tenantOf } from '../../../http/auth/caller.ts'
import { allResourcesOrder } from '../query/resource-order.ts'
import { isWatch } from '../watch/watch-query.ts'
import type { ReadContext } from './handler.ts'
import { serveList } from './serve-list.ts'

/** GET of `/resources`. */
export function listAll(context: ReadContext): RequestHandler {
  const { operations, authorizer } = context
  const { kinds } = operations.registry
  const serve = serveList(context, {
    kinds,
    order: allResourcesOrder(kinds),
    listKind: 'ResourceList',
  })
  return async (request, response) => {
    const kind = kindOf(request, operations.registry)
    const verb = isWatch(request) ? 'watch' : 'list'
    for (const { plural: resource } of kind ? [kind] : kinds) {
      await requireAccess(authorizer, response, { verb, resource, subresource: null })
    }
    await serve(request, response, {
      scope: { subject: 'all-resources', tenant: tenantOf(response), kind },
      read: (page) => listAllPage(operations, { ...page, kind }),
    })
  }
}

/** The kind that `kind` of a validated request names; null for all kinds. */
function kindOf({ query }: Request, registry: Registry): RegisteredKind | null {
  const { kind: name } = query
  if (typeof name !== 'string') return null
  const problem = unknownKind(name, listableKinds(registry))
  if (problem === null) return registry.byName(name)
  throw invalid([{ field: 'kind', message: problem, constraint: 'kind', value: name }])
}

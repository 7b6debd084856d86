import type { Request, RequestHandler } from 'express'
import { invalid } from '../../../lib/errors.ts'
import { listAllPage } from '../../../core/operations/list/list-all-resources.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'
import type { Registry } from '../../../core/registry/registry.ts'
import { listableKinds } from '../../../core/registry/verb.ts'
import { unknownKind } from '../../../core/registry/unknown-kind.ts'
import { parseFields } from '../query/fields.ts'
import { waitForMinimumVersion } from '../query/minimum-version.ts'
import { listQueryOf } from '../query/list-query.ts'
import { parseOrder } from '../query/order-by.ts'
import { referenceFilterOf } from '../query/reference-filter.ts'
import { projectableFields } from '../wire/resource-fields.ts'
import { allResourcesOrder } from '../query/resource-order.ts'
import { tenantOf } from '../../../http/auth/caller.ts'
import type { ReadContext } from './handler.ts'
import { watchList } from '../watch/watch-list.ts'
import { isWatch } from '../watch/watch-query.ts'
import { resourceVersionOf, sendPage } from './send-page.ts'

/** GET of `/resources`. */
export function listAll(context: ReadContext): RequestHandler {
  const { operations, defaultPageSize } = context
  const { registry } = operations
  const members = projectableFields(registry.kinds)
  const order = allResourcesOrder(registry.kinds)
  return async (request, response) => {
    const kind = kindOf(request, registry)
    const tenant = tenantOf(response)
    await waitForMinimumVersion(operations, request)
    if (isWatch(request)) {
      const scope = { subject: 'all-resources', tenant, kind } as const
      await watchList(context, { scope, members, always: 'id' }, request, response)
      return
    }
    const resourceVersion = resourceVersionOf(context)
    const query = listQueryOf(request, defaultPageSize)
    const projection = parseFields(query.fields, members, 'id')
    const page = await listAllPage(operations, {
      kind,
      tenant,
      search: query.search,
      references: referenceFilterOf(request, registry.kinds),
      orderBy: parseOrder(query.orderBy, query.order, order),
      page: query.page,
      pageSize: query.pageSize,
      representation: context.representation,
    })
    const envelope = { kind: 'ResourceList', page: query.page, resourceVersion, projection }
    sendPage(response, context, envelope, page)
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

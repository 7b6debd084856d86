import { readByName } from '../../store/operations/read/read-by-name.ts'
import { nameParameter } from '../../store/registry/kind-routes.ts'
import { hrefOf } from '../wire/href.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import type { VerbHandler } from './handler.ts'
import { ownerIdOf, parameterOf } from './requests/path-ids.ts'
import { sendUnlessKnown } from './responses/send-resource.ts'

/** GET of `/by-name/{name}` below a collection. The response equals that of the item's own path. */
export const getByName: VerbHandler = (context, route) => async (request, response) => {
  const { kind } = route
  const name = parameterOf(request, nameParameter(kind))
  const ownerId = ownerIdOf(request, route)
  const target = { tenant: tenantOf(response), kind, ownerId, name }
  const found = await readByName(context.operations, target, context.representation)
  response.setHeader('Content-Location', hrefOf(kind, found.id))
  sendUnlessKnown(response, context, found)
}

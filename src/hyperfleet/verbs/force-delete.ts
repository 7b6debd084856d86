import { forceDeleteResource } from '../../store/operations/write/force-delete-resource.ts'
import { callerOf } from '../../http/auth/caller.ts'
import { setAuditedResource } from '../../http/requests/audited-request.ts'
import { preconditionOf } from '../wire/etag.ts'
import { contextOf } from './requests/dry-run.ts'
import type { VerbHandler } from './handler.ts'
import { targetOf } from './requests/path-ids.ts'
import { setWriteToken } from './responses/write-token.ts'

/** POST of an item's `/force-delete`. */
export const forceDelete: VerbHandler = (context, route) => async (request, response) => {
  const { reason }: { readonly reason: string } = request.body
  const operations = contextOf(request, context.operations)
  const removed = await forceDeleteResource(operations, targetOf(request, response, route), {
    precondition: preconditionOf(request),
    reason,
    caller: callerOf(response),
  })
  setAuditedResource(response, removed)
  setWriteToken(request, response, context.operations)
  response.status(204).end()
}

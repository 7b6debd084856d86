import { deleteResource } from '../../store/operations/write/delete-resource.ts'
import { callerOf } from '../../http/auth/caller.ts'
import { preconditionOf } from '../wire/etag.ts'
import { contextOf } from './requests/dry-run.ts'
import type { VerbHandler } from './handler.ts'
import { targetOf } from './requests/path-ids.ts'
import { sendResource } from './responses/send-resource.ts'
import { setWriteToken } from './responses/write-token.ts'

/** DELETE of an item. */
export const remove: VerbHandler = (context, route) => async (request, response) => {
  const operations = contextOf(request, context.operations)
  const resource = await deleteResource(operations, targetOf(request, response, route), {
    precondition: preconditionOf(request),
    caller: callerOf(response),
  })
  setWriteToken(request, response, context.operations)
  sendResource(response.status(202), context, resource)
}

import type { RequestHandler } from 'express'
import { readAnyResource } from '../../../core/operations/read-any-resource.ts'
import { tenantOf } from '../../../http/auth/tenancy.ts'
import type { ReadContext } from './handler.ts'
import { sendUnlessKnown } from './send-resource.ts'

/** GET of an item of `/resources`. */
export function getAny(context: ReadContext): RequestHandler {
  return async (request, response) => {
    const id = String(request.params['resource_id'])
    const found = await readAnyResource(context.operations, tenantOf(response), id)
    sendUnlessKnown(request, response, context, found)
  }
}

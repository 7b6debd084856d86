import { readResource } from '../../store/operations/read/read-resource.ts'
import type { VerbHandler } from './handler.ts'
import { targetOf } from './requests/path-ids.ts'
import { sendUnlessKnown } from './responses/send-resource.ts'

/** GET of an item. */
export const get: VerbHandler = (context, route) => async (request, response) => {
  const { operations, representation } = context
  const target = targetOf(request, response, route)
  const found = await readResource(operations, target, representation)
  sendUnlessKnown(response, context, found)
}

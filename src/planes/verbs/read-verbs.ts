import { listOptionsOf } from '../requests/request-options.ts'
import type { ObjectOperations } from '../model/object-operations.ts'
import type { OperationsContext } from '../operations/context.ts'
import { listObjects } from '../operations/reads/list-objects.ts'
import { listText } from './list-text.ts'
import { sendList, sendObject, sendSerialized } from './send-object.ts'
import type { VerbRequest } from './verb-request.ts'

/** GET of an object. */
export async function serveGet(operations: ObjectOperations, verb: VerbRequest): Promise<void> {
  const { query, requester, target } = verb
  const resourceVersion = query.get('resourceVersion') ?? ''
  await sendObject(verb, 200, await operations.get(requester, target, { resourceVersion }))
}

/** Serves GET of a collection. */
export type ServeList = (verb: VerbRequest) => Promise<void>

/** Creates the function that serves lists. */
export function createServeList(context: OperationsContext): ServeList {
  return async (verb) => {
    const { query, representation, requester, target } = verb
    const options = { ...listOptionsOf(query), wait: requester.wait }
    const { shape, encoding } = representation
    // Objects of definitions get the defaults that were declared since they were stored.
    if (shape !== 'object' || encoding !== 'json' || target.type.isCustom) {
      await sendList(verb, await listObjects(context, target, options))
      return
    }
    const text = await listText(context, target, options)
    sendSerialized(verb, 200, { contentType: 'application/json', text })
  }
}

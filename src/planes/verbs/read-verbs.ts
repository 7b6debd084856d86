import { listOptionsOf } from '../requests/request-options.ts'
import type { ObjectOperations } from '../model/object-operations.ts'
import { sendList, sendObject } from './send-object.ts'
import type { VerbRequest } from './verb-request.ts'

/** GET of an object. */
export async function serveGet(operations: ObjectOperations, verb: VerbRequest): Promise<void> {
  const { query, requester, target } = verb
  const resourceVersion = query.get('resourceVersion') ?? ''
  sendObject(verb, 200, await operations.get(requester, target, { resourceVersion }))
}

/** GET of a collection. */
export async function serveList(operations: ObjectOperations, verb: VerbRequest): Promise<void> {
  const { query, requester, target } = verb
  sendList(verb, await operations.list(requester, target, listOptionsOf(query)))
}

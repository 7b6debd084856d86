import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { invalid } from '../../../lib/errors.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { FIRST_VERSION, type Resource } from '../../../core/model/resource.ts'
import { createResource, type Once } from '../../../core/operations/write/create-resource.ts'
import { callerOf } from '../../../http/auth/caller.ts'
import { etagOf } from '../wire/etag.ts'
import { hrefOf } from '../wire/href.ts'
import { serializeResource } from '../wire/resource.ts'
import { type CreateBody, desiredOf } from '../wire/resource-fields.ts'
import { newTenantOf } from '../../../http/auth/caller.ts'
import { contextOf } from './dry-run.ts'
import type { VerbHandler } from './handler.ts'
import { ownerIdOf } from './path-ids.ts'
import { sendResource } from './send-resource.ts'
import { setWriteToken } from './write-token.ts'

/** POST of a collection. */
export const create: VerbHandler = (context, route) => async (request, response) => {
  const body: CreateBody = request.body
  const { kind } = route
  const tenant = newTenantOf(response)
  const caller = callerOf(response)
  const answerOf = (resource: Resource) => serializeResource(context.wire, kind, resource)
  const outcome = await createResource(
    contextOf(request, context.operations),
    {
      tenant,
      kind,
      ownerId: ownerIdOf(request, route),
      name: body.name,
      ...desiredOf(kind, body),
      caller,
    },
    onceOf(request, { tenant, caller: caller.user }, answerOf),
  )
  setWriteToken(request, response, context.operations)
  response.status(201)
  if ('created' in outcome) {
    response.location(hrefOf(kind, outcome.created.id))
    sendResource(response, context, outcome.created)
    return
  }
  const { resourceId: id, response: replayed } = outcome.replayed
  response.location(hrefOf(kind, id)).set('ETag', etagOf({ id, version: FIRST_VERSION }))
  response.set('Idempotency-Replayed', 'true').json(replayed)
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/
const BAD_KEY = {
  field: 'idempotency-key',
  message: 'idempotency-key must be 1 to 255 visible ASCII characters',
  constraint: 'format',
}

/** The request of the header `Idempotency-Key`; null without it. */
function onceOf(
  request: Request,
  who: Pick<Once, 'tenant' | 'caller'>,
  answerOf: (resource: Resource) => JsonObject,
): Once | null {
  const key = request.get('idempotency-key')
  if (key === undefined) return null
  if (!VISIBLE_ASCII.test(key)) throw invalid([BAD_KEY])
  const bodyHash = createHash('sha256').update(JSON.stringify(request.body)).digest()
  return { ...who, route: request.path, key, bodyHash, answerOf }
}

import { FIRST_VERSION, type Resource } from '../../store/model/resource.ts'
import { createResource } from '../../store/operations/write/create-resource.ts'
import { callerOf } from '../../http/auth/caller.ts'
import { etagOf } from '../wire/etag.ts'
import { hrefOf } from '../wire/href.ts'
import { serializeResource } from '../wire/resource.ts'
import { selectionRule } from '../query/selection-rules.ts'
import { type CreateBody, desiredOf } from '../wire/resource-fields.ts'
import { newTenantOf } from '../../http/auth/caller.ts'
import { contextOf } from './requests/dry-run.ts'
import type { VerbHandler } from './handler.ts'
import { idempotencyKeyOf } from './requests/idempotency-key.ts'
import { ownerIdOf } from './requests/path-ids.ts'
import { sendResource } from './responses/send-resource.ts'
import { setWriteToken } from './responses/write-token.ts'

/** POST of a collection. */
export const create: VerbHandler = (context, route) => async (request, response) => {
  const body: CreateBody = request.body
  const { kind } = route
  const tenant = newTenantOf(response)
  const caller = callerOf(response)
  const requireSelection = await selectionRule(context, response, kind)
  const desired = desiredOf(kind, body)
  requireSelection(desired.spec)
  const answerOf = (resource: Resource) => serializeResource(context.wire, kind, resource)
  const key = idempotencyKeyOf(request, { tenant, caller: caller.user })
  const outcome = await createResource(
    contextOf(request, context.operations),
    {
      tenant,
      kind,
      ownerId: ownerIdOf(request, route),
      name: body.name,
      ...desired,
      caller,
    },
    key && { ...key, answerOf },
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

import type { Request } from 'express'
import type { Desired } from '../../store/model/resource-fields.ts'
import {
  type Upsert,
  type UpsertOutcome,
  upsertResource,
} from '../../store/operations/write/upsert-resource.ts'
import type { Precondition } from '../../store/operations/write/precondition.ts'
import { requireAccess } from '../../http/auth/authorize.ts'
import { callerOf, newTenantOf } from '../../http/auth/caller.ts'
import { UPSERT_HEADER } from '../openapi/kind-paths.ts'
import { isKnown, preconditionOf, requiresExisting, requiresNew } from '../wire/etag.ts'
import { selectionRule } from '../query/selection-rules.ts'
import { hrefOf } from '../wire/href.ts'
import { type CreateBody, desiredOf } from '../wire/resource-fields.ts'
import { contextOf } from './requests/dry-run.ts'
import type { VerbHandler } from './handler.ts'
import { ownerIdOf } from './requests/path-ids.ts'
import { sendResource } from './responses/send-resource.ts'
import { setWriteToken } from './responses/write-token.ts'

/** PUT of `/by-name/{name}` below a collection. The route has checked the access `create`. */
export const upsert: VerbHandler = (context, route) => async (request, response) => {
  const body: CreateBody = request.body
  const { kind } = route
  const { name } = body
  const access = { verb: 'patch', resource: kind.plural, subresource: null, name } as const
  await requireAccess(context.authorizer, response, access)
  const requireSelection = await selectionRule(context, response, kind)
  const desired = desiredOf(kind, body)
  requireSelection(desired.spec)
  const creation = {
    tenant: newTenantOf(response),
    kind,
    ownerId: ownerIdOf(request, route),
    name,
    ...desired,
    caller: callerOf(response),
  }
  const { result, resource } = await upsertResource(contextOf(request, context.operations), {
    creation,
    replace: (current) => replaced(current, desired, body),
    precondition: replacementConditionOf(request),
    allowed: allowedBy(request),
  })
  setWriteToken(request, response, context.operations)
  const href = hrefOf(kind, resource.id)
  response.status(STATUS[result]).set(UPSERT_HEADER, result)
  response.set(result === 'created' ? 'Location' : 'Content-Location', href)
  sendResource(response, context, resource)
}

const STATUS: Readonly<Record<UpsertOutcome['result'], number>> = {
  created: 201,
  replaced: 200,
  unchanged: 200,
}

/** Annotations are notes of several tools: only a body that has them replaces them. */
function replaced(current: Desired, desired: Desired, { annotations }: CreateBody): Desired {
  return { ...desired, annotations: annotations ?? current.annotations }
}

function allowedBy(request: Request): Upsert['allowed'] {
  if (requiresNew(request)) return 'create'
  return requiresExisting(request) ? 'replace' : 'both'
}

function replacementConditionOf(request: Request): Precondition {
  const matches = preconditionOf(request)
  return (resource) => (matches?.(resource) ?? true) && !isKnown(request, resource)
}

import type { Request } from 'express'
import { assert, unreachable } from '../../lib/assert.ts'
import { endLongTurn, type Steps, stepsInTurns } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { patchResource } from '../../store/operations/write/patch-resource.ts'
import { callerOf } from '../../http/auth/caller.ts'
import { preconditionOf } from '../wire/etag.ts'
import { jsonPatchInSteps } from '../../http/patching/json-patch.ts'
import { mergePatchInSteps } from '../../http/patching/merge-patch.ts'
import type { PatchOperation } from '../../http/patching/patch-step.ts'
import { patchTypeOf } from '../../http/patching/patch-types.ts'
import { selectionRule } from '../query/selection-rules.ts'
import { desiredJson } from '../wire/resource-fields.ts'
import { contextOf } from './requests/dry-run.ts'
import type { VerbHandler } from './handler.ts'
import { targetOf } from './requests/path-ids.ts'
import { sendResource } from './responses/send-resource.ts'
import { setWriteToken } from './responses/write-token.ts'

/** PATCH of an item, in the format of its content type. */
export const patch: VerbHandler = (context, route) => async (request, response) => {
  const apply = patchOf(request, context.bodyLimit)
  const target = targetOf(request, response, route)
  const requireSelection = await selectionRule(context, response, route.kind)
  const { resource } = await patchResource(contextOf(request, context.operations), target, {
    change: async (current) => {
      const next = await stepsInTurns(
        apply(desiredJson(context.wire.registry, route.kind, current)),
      )
      await endLongTurn()
      const desired = await context.requireDesired(route.kind, next, current)
      await endLongTurn()
      requireSelection(desired.spec, current.spec)
      return desired
    },
    precondition: preconditionOf(request),
    caller: callerOf(response),
  })
  setWriteToken(request, response, context.operations)
  sendResource(response, context, resource)
}

/** The changeable fields after the patch in the validated body. */
function patchOf(request: Request, bodyLimit: number): (members: JsonObject) => Steps<JsonObject> {
  const type = patchTypeOf(request.headers['content-type'])
  switch (type) {
    case 'application/json': {
      const replaced: JsonObject = request.body
      return function* replace(members) {
        yield
        return { ...members, ...replaced }
      }
    }
    case 'application/merge-patch+json': {
      const merged: JsonObject = request.body
      return function* merge(members) {
        const next = yield* mergePatchInSteps(members, merged)
        assert(isJsonObject(next), 'merged objects are an object')
        return next
      }
    }
    case 'application/json-patch+json': {
      const operations: readonly PatchOperation[] = request.body
      return (members) => jsonPatchInSteps(members, operations, { bodyLimit })
    }
    default:
      return unreachable(type)
  }
}

import type { Request, Response } from 'express'
import { must } from '../../lib/assert.ts'
import { mapInTurns, stepsInTurns } from '../../lib/async/steps.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { jsonTextInSteps } from '../../lib/json/json-text.ts'
import { createMany as createTrees } from '../../store/operations/bulk/create-many.ts'
import type { TreeCreation, TreeOutcome } from '../../store/operations/bulk/tree-creation.ts'
import type { KindRoute } from '../../store/registry/kind-routes.ts'
import { callerOf, newTenantOf } from '../../http/auth/caller.ts'
import { selectionRule } from '../query/selection-rules.ts'
import { type CreateBody, desiredOf } from '../wire/resource-fields.ts'
import { bulkResult } from './responses/bulk-result.ts'
import { contextOf } from './requests/dry-run.ts'
import type { VerbHandler } from './handler.ts'
import { idempotencyKeyOf } from './requests/idempotency-key.ts'
import { atomicError } from './responses/item-error.ts'
import { ownerIdOf } from './requests/path-ids.ts'
import { setWriteToken } from './responses/write-token.ts'

/** The body of a bulk creation. The document's rules for it leave the items to `ItemRules`. */
interface BulkBody {
  readonly items: readonly (JsonObject & CreateBody)[]
  readonly atomic?: boolean
}

/** POST of `/bulk` below a collection. */
export const createMany: VerbHandler = (context, route) => {
  const rules = context.itemRulesOf(route.kind)
  return async (request, response) => {
    const { items, atomic = false }: BulkBody = request.body
    const requireSelection = await selectionRule(context, response, route.kind)
    const errors = await mapInTurns(
      items,
      (item) => rules(item) ?? errorOf(() => requireSelection(item.spec)),
    )
    if (atomic) requireSuccess(errors.map(outcomeOf))
    const valid = items.filter((_item, index) => errors[index] === null)
    const who = { tenant: newTenantOf(response), caller: callerOf(response).user }
    const key = idempotencyKeyOf(request, who)
    // The recorded response and the first one are equal, because they have the same time.
    const sent = { request, response, now: context.operations.clock() }
    const answerOf = (outcomes: readonly TreeOutcome[]) =>
      bulkResult(context, route.kind, { outcomes: merged(errors, outcomes), ...sent })
    const outcome = await createTrees(
      contextOf(request, context.operations),
      valid.map((item) => treeOf(route, item, { request, response })),
      { atomic, requireParent: true, once: key && { ...key, answerOf } },
    )
    if ('replayed' in outcome) {
      setWriteToken(request, response, context.operations)
      response.set('Idempotency-Replayed', 'true').json(outcome.replayed.response)
      return
    }
    if (atomic) requireSuccess(outcome.outcomes)
    setWriteToken(request, response, context.operations)
    const answer = answerOf(outcome.outcomes)
    context.send(response, await stepsInTurns(jsonTextInSteps(answer)))
  }
}

function errorOf(check: () => void): FlotillaError | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof FlotillaError) return error
    throw error
  }
}

function treeOf(
  route: KindRoute,
  item: CreateBody,
  { request, response }: { readonly request: Request; readonly response: Response },
): TreeCreation {
  const { kind } = route
  const root = {
    tenant: newTenantOf(response),
    kind,
    ownerId: ownerIdOf(request, route),
    name: item.name,
    ...desiredOf(kind, item),
    caller: callerOf(response),
  }
  return { root, children: [] }
}

function requireSuccess(outcomes: readonly TreeOutcome[]): void {
  const error = atomicError(outcomes)
  if (error) throw error
}

function outcomeOf(error: FlotillaError | null): TreeOutcome {
  return error === null ? { status: 'aborted' } : { status: 'failed', error }
}

/** The outcomes of all items: the errors of invalid items, and the outcomes of the valid ones. */
function merged(
  errors: readonly (FlotillaError | null)[],
  outcomes: readonly TreeOutcome[],
): readonly TreeOutcome[] {
  const rest = outcomes.values()
  return errors.map((error) =>
    error === null ? must(rest.next().value, 'an outcome of each valid item') : outcomeOf(error),
  )
}

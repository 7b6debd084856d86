import type { Request, Response } from 'express'
import { unreachable } from '../../../lib/assert.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { TreeOutcome } from '../../../store/operations/bulk/tree-creation.ts'
import type { RegisteredKind } from '../../../store/registry/kind.ts'
import { requestIdOf } from '../../../http/requests/request-id.ts'
import { requestPath } from '../../../http/requests/request-path.ts'
import { problemOf } from '../../errors/problem.ts'
import { serializeResource } from '../../wire/resource.ts'
import type { VerbContext } from '../handler.ts'
import { itemError } from './item-error.ts'

interface Results {
  readonly outcomes: readonly TreeOutcome[]
  readonly request: Request
  readonly response: Response
  /** The time of the problems. */
  readonly now: Date
}

/** The response to a bulk creation: the resource or the problem of each item. */
export function bulkResult(
  { wire }: Pick<VerbContext, 'wire'>,
  kind: RegisteredKind,
  { outcomes, request, response, now }: Results,
): JsonObject {
  const problemContext = {
    instance: requestPath(request.originalUrl),
    requestId: requestIdOf(response),
    now,
  }
  const items = outcomes.map((outcome, index): JsonObject => {
    switch (outcome.status) {
      case 'created':
        return { index, status: 201, resource: serializeResource(wire, kind, outcome.root) }
      case 'failed': {
        const { status, body } = problemOf(itemError(index, outcome.error), problemContext)
        const error: JsonObject = JSON.parse(JSON.stringify(body))
        return { index, status, error }
      }
      case 'aborted':
        throw new Error('an atomic request has no result if an item failed')
      default:
        return unreachable(outcome)
    }
  })
  const created = items.filter(({ status }) => status === 201).length
  return { kind: `${kind.kind}BulkResult`, created, failed: items.length - created, items }
}

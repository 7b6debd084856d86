import type { JsonObject } from '../../../lib/json.ts'
import { patchResource } from '../../operations/patch-resource.ts'
import { must } from '../../../lib/assert.ts'
import { callerOf } from '../caller.ts'
import { presentResource } from '../present/resource.ts'
import type { VerbHandler } from './handler.ts'
import { targetOf } from './path-ids.ts'

/** The validated body: one member at least. */
interface Body {
  readonly spec?: JsonObject
  readonly labels?: Readonly<Record<string, string>>
}

/** PATCH of an item: each member that is there replaces the whole value. */
export const patch: VerbHandler =
  ({ operations }, route) =>
  async (request, response) => {
    const body: Body = request.body
    const target = targetOf(request, route)
    const resource = await patchResource(operations, target, {
      ...body,
      actor: must(callerOf(response), 'the caller'),
    })
    response.json(presentResource(operations.registry, route.kind, resource))
  }

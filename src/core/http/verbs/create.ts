import type { JsonObject } from '../../../lib/json.ts'
import { createResource } from '../../operations/create-resource.ts'
import { must } from '../../../lib/assert.ts'
import { callerOf } from '../caller.ts'
import { hrefOf, presentResource } from '../present/resource.ts'
import type { VerbHandler } from './handler.ts'
import { ownerIdOf } from './path-ids.ts'

/** The validated body. */
interface Body {
  readonly name: string
  readonly spec: JsonObject
  readonly labels?: Readonly<Record<string, string>>
}

/** POST of a collection. */
export const create: VerbHandler =
  ({ operations }, route) =>
  async (request, response) => {
    const { name, spec, labels }: Body = request.body
    const resource = await createResource(operations, {
      kind: route.kind,
      ownerId: ownerIdOf(request, route),
      name,
      spec,
      labels: labels ?? {},
      actor: must(callerOf(response), 'the caller'),
    })
    response
      .status(201)
      .location(hrefOf(route.kind, resource.id))
      .json(presentResource(operations.registry, route.kind, resource))
  }

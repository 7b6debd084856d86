import { readResource } from '../../operations/read-resource.ts'
import { presentResource } from '../present/resource.ts'
import type { VerbHandler } from './handler.ts'
import { targetOf } from './path-ids.ts'

/** GET of an item. */
export const get: VerbHandler =
  ({ operations }, route) =>
  async (request, response) => {
    const resource = await readResource(operations, targetOf(request, route))
    response.json(presentResource(operations.registry, route.kind, resource))
  }

import { resourcePath } from '../apply/resource-path.ts'
import type { JsonObject } from '../documents/json-object.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { readResource, type ResourceName } from '../targets/read-resource.ts'
import type { LocatedObject } from './located-object.ts'

/** The place of a resource whose name does not contain it. */
export interface Place {
  readonly cluster?: string | undefined
}

/** Reads the resource with a name: that of a cluster, CLUSTER/NAME or an ID. */
export async function locateObject(
  session: Session,
  target: KindTarget,
  resource: ResourceName,
): Promise<LocatedObject> {
  const { id, name } = await readResource(session, target, resource)
  const path = resourcePath(target.plural, id)
  const { client, signal } = session
  const request = { method: 'GET', path, signal, retry: 'always' } as const
  const { body } = await client.request<JsonObject>(request)
  return { target, label: `${target.singular}/${name}`, path, object: body }
}

import { resourcePath } from '../apply/resource-path.ts'
import type { JsonObject } from '../documents/json-object.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { readResource } from '../targets/read-resource.ts'
import type { LocatedObject } from './located-object.ts'

/** The place of a resource whose name does not contain it. */
export interface Place {
  readonly cluster?: string | undefined
}

/** Reads the resource with a name: that of a cluster, CLUSTER/NAME or an ID. */
export async function locateObject(
  session: Session,
  target: KindTarget,
  name: string,
  { cluster }: Place,
): Promise<LocatedObject> {
  const { id, name: own } = await readResource(session, target, name, { cluster })
  const path = resourcePath(target.plural, id)
  const { client, signal } = session
  const request = { method: 'GET', path, signal, retry: 'always' } as const
  const { body } = await client.request<JsonObject>(request)
  return { target, label: `${target.singular}/${own}`, path, object: body }
}

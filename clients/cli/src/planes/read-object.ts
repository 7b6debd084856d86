import type { Session } from '../session/session.ts'
import type { PlaneTarget } from '../targets/kind-target.ts'
import { objectPath } from './object-path.ts'
import type { PlaneObject } from './plane-object.ts'

/** The namespace of names without one, as in kubectl. */
export const DEFAULT_NAMESPACE = 'default'

/** Reads an object of a plane by `NAME` or `NAMESPACE/NAME`. */
export async function readObject(
  { client, signal }: Session,
  target: PlaneTarget,
  name: string,
  { namespace }: { readonly namespace?: string | undefined } = {},
): Promise<PlaneObject> {
  const slash = name.indexOf('/')
  const within = slash < 0 ? (namespace ?? DEFAULT_NAMESPACE) : name.slice(0, slash)
  const place = { ...target, namespace: target.namespaced ? within : null }
  const path = objectPath(place, name.slice(slash + 1))
  const request = { method: 'GET', path, retry: 'always', signal } as const
  return (await client.request<PlaneObject>(request)).body
}

import { isObject, type UnknownObject } from '../../../../typescript/src/http/json.ts'
import type { KubeObject } from '../../kube/kube-object.ts'
import { listPath } from '../../kube/object-path.ts'
import { OBJECT_RULES } from '../../kube/object-rules.ts'
import type { PlaneKind } from '../../kube/plane-kind.ts'
import { readObjects } from '../../kube/read-objects.ts'
import { useLiveList } from '../../kube/use-live-list.ts'

interface PlaneObjectAddress {
  readonly plane: string
  readonly kind: Pick<PlaneKind, 'group' | 'version' | 'plural'>
  /** Empty for objects without one. */
  readonly namespace: string
  readonly name: string
}

/**
 * One object, live: a list that selects its name, so that the watch starts at the version of the
 * list. `object` is null if there is none.
 */
export function usePlaneObject<T extends KubeObject>(address: PlaneObjectAddress) {
  const { plane, kind, namespace, name } = address
  const list = useLiveList<T>({
    ...OBJECT_RULES,
    plane,
    path: listPath(kind, namespace),
    query: { fieldSelector: `metadata.name=${name}` },
    readItems: (body) => readObjects<T>(withTypes(body)),
  })
  return { ...list, object: list.items[0] ?? null }
}

/** Some items of lists lack their API version and kind, which the list has. */
function withTypes(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body['items'])) return body
  const { apiVersion, kind } = body
  const item = typeof kind === 'string' ? kind.replace(/List$/, '') : undefined
  const items = body['items']
    .filter(isObject)
    .map((object): UnknownObject => ({ apiVersion, kind: item, ...object }))
  return { ...body, items }
}

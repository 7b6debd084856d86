import { isObject } from '../../../typescript/src/http/json.ts'
import type { KubeListMetadata, KubeObject } from './kube-object.ts'

/**
 * Reads the objects of a list. The document of the server defines their type, which the caller
 * names.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
export function readObjects<T extends KubeObject>(body: unknown): readonly T[] {
  const items = isObject(body) ? body['items'] : null
  return Array.isArray(items) ? items.filter((item) => isNamed<T>(item)) : []
}

/** The metadata of a list; empty if it has none. */
export function listMetadata(body: unknown): KubeListMetadata {
  const metadata = isObject(body) ? body['metadata'] : null
  return isObject(metadata) ? metadata : {}
}

/** Whether a list continues on another page. */
export function hasNextPage(body: unknown): boolean {
  return (listMetadata(body).continue ?? '') !== ''
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function isNamed<T extends KubeObject>(value: unknown): value is T {
  const metadata = isObject(value) ? value['metadata'] : null
  return isObject(metadata) && typeof metadata['name'] === 'string'
}

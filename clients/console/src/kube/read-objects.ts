import { isObject } from '../../../typescript/src/http/json.ts'
import type { KubeObject } from './kube-object.ts'

/**
 * Reads the objects of a list. The document of the server defines their type, which the caller
 * names.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
export function readObjects<T extends KubeObject>(body: unknown): readonly T[] {
  const items = isObject(body) ? body['items'] : null
  return Array.isArray(items) ? items.filter((item) => isNamed<T>(item)) : []
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function isNamed<T extends KubeObject>(value: unknown): value is T {
  const metadata = isObject(value) ? value['metadata'] : null
  return isObject(metadata) && typeof metadata['name'] === 'string'
}

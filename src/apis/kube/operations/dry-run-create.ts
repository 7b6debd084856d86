import type { ObjectLimit } from '../model/admission.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { Target } from '../model/object-operations.ts'
import { resourceKey } from '../model/resource-type.ts'
import type { OperationsContext } from './context.ts'
import { keyOf } from './object-key.ts'
import { requireWritten } from './require-written.ts'
import { storedObject } from './versioned-object.ts'

/**
 * Checks without a write what storage would check: whether the name is taken (null), the namespace
 * is missing or ends, or the limit is reached.
 */
export async function dryRunCreate(
  context: OperationsContext,
  target: Target,
  { object, limit }: { readonly object: ApiObject; readonly limit: ObjectLimit | null },
): Promise<ApiObject | null> {
  if (await context.storeOf(target.type).read(keyOf(target))) return null
  if (limit && (await countOf(context, target)) >= limit.max) throw await limit.exceeded()
  const status = await namespaceStatus(context, target)
  if (status !== null) requireWritten({ status }, target, target.name)
  return object
}

async function countOf({ storeOf }: OperationsContext, target: Target): Promise<number> {
  const { plane, type, namespace } = target
  const selector = { labels: [], fields: [] }
  const query = { plane, resource: resourceKey(type), namespace, selector, limit: 1, after: null }
  const { objects, remaining } = await storeOf(type).list(query)
  return objects.length + (remaining ?? 0)
}

/** Null if objects can be created in the namespace. */
async function namespaceStatus(
  { storeOf, natives }: OperationsContext,
  { plane, type, namespace: name }: Target,
): Promise<'namespace-missing' | 'namespace-terminating' | null> {
  const resource = 'namespaces'
  const spaces = natives.get(resource)
  if (!type.namespaced || !spaces) return null
  const found = await storeOf(spaces.type).read({ plane, resource, namespace: '', name })
  if (!found) return 'namespace-missing'
  const { deletionTimestamp } = storedObject(found).metadata
  return deletionTimestamp === undefined ? null : 'namespace-terminating'
}

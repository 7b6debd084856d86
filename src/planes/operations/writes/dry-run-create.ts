import type { ApiObject } from '../../model/api-object.ts'
import type { Target } from '../../model/object-operations.ts'
import type { OperationsContext } from '../context.ts'
import { keyOf } from '../object-key.ts'
import { requireWritten } from './require-written.ts'
import { storedObject } from '../versioned-object.ts'

/**
 * Checks without a write what storage would check: the name, which may be taken (null), and the
 * namespace, which may be missing or end.
 */
export async function dryRunCreate(
  context: OperationsContext,
  target: Target,
  object: ApiObject,
): Promise<ApiObject | null> {
  if (await context.storeOf(target.type).read(keyOf(target))) return null
  const status = await namespaceStatus(context, target)
  if (status !== null) requireWritten({ status }, target, target.name)
  return object
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

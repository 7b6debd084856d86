import { must } from '../../lib/assert.ts'
import type { NativeResource, WriteContext } from '../model/native-resource.ts'
import type { Requester, Target } from '../model/object-operations.ts'
import { resourceKey } from '../model/resource-type.ts'
import type { OperationsContext } from './context.ts'

/** The circumstances of a write for the strategy of its type. */
export function writeContext(
  { clock }: OperationsContext,
  { user }: Requester,
  { plane, version, subresource }: Target,
): WriteContext {
  return { plane, user, version, subresource, now: clock() }
}

/** The native resource of a target; null for custom resources. */
export function nativeOf(
  { natives }: Pick<OperationsContext, 'natives'>,
  { type }: Pick<Target, 'type'>,
): NativeResource | null {
  if (type.isCustom) return null
  return must(natives.get(resourceKey(type)), `the native resource ${type.plural}`)
}

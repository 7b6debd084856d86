import type { ApiObject } from '../../model/api-object.ts'
import type { Requester, Target, WriteOptions } from '../../model/object-operations.ts'
import { changeObject } from './change-object.ts'
import type { OperationsContext } from '../context.ts'

/** Replaces an object, or the part of it that the subresource names. */
export function updateObject(
  context: OperationsContext,
  requester: Requester,
  target: Target,
  { input, options }: { readonly input: ApiObject; readonly options: WriteOptions },
): Promise<ApiObject> {
  return changeObject(context, { requester, target, options, changed: () => input })
}

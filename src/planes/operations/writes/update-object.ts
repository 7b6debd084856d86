import type { ApiObject } from '../../model/api-object.ts'
import { changeObject } from './change-object.ts'
import type { OperationsContext } from '../context.ts'
import type { ObjectRequest } from '../write-request.ts'

/** Replaces an object, or the part of it that the subresource names. */
export function updateObject(
  context: OperationsContext,
  { input, ...request }: ObjectRequest,
): Promise<ApiObject> {
  return changeObject(context, { ...request, changed: () => input })
}

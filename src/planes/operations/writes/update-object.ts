import type { ApiObject } from '../../model/api-object.ts'
import type { Requester, Target, WriteOptions } from '../../model/object-operations.ts'
import { changeObject } from './change-object.ts'
import type { OperationsContext } from '../context.ts'

interface Update {
  readonly requester: Requester
  readonly target: Target
  readonly input: ApiObject
  readonly options: WriteOptions
}

/** Replaces an object, or the part of it that the subresource names. */
export function updateObject(
  context: OperationsContext,
  { requester, target, input, options }: Update,
): Promise<ApiObject> {
  return changeObject(context, { requester, target, options, changed: () => input })
}

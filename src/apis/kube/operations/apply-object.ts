import { badRequest } from '../errors/failures.ts'
import type { ObjectPatch, Requester, Target, WriteOptions } from '../model/object-operations.ts'
import type { OperationsContext } from './context.ts'
import type { Patched } from './patch-object.ts'

/** Server-side apply: changes the object, or creates it. */
export function applyObject(
  _context: OperationsContext,
  _requester: Requester,
  _target: Target,
  _request: { readonly patch: ObjectPatch; readonly options: WriteOptions },
): Promise<Patched> {
  return Promise.reject(badRequest('server-side apply is not served yet'))
}

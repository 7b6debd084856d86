import type { ApiObject } from '../model/api-object.ts'
import type { Target, WriteOptions } from '../model/object-operations.ts'
import type { OperationsContext } from './context.ts'

interface Write {
  readonly target: Target
  readonly options: WriteOptions
  readonly now: Date
}

/** Records the writer as the manager of the fields that it changes. */
export function manageFields(
  _context: OperationsContext,
  _write: Write,
  _old: ApiObject | null,
  next: ApiObject,
): Promise<ApiObject> {
  return Promise.resolve(next)
}

import type { JsonValue } from '../../lib/json/json.ts'
import { parsePointer } from '../../lib/json/json-pointer.ts'
import { draftKey } from './draft.ts'

/** An operation of a validated patch: what needs `from` or `value` has it. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: string
  readonly from?: string
  readonly value?: JsonValue
}

/** An operation in its place in the patch. */
export interface PatchStep {
  /** What problems name it by: `[2]`. */
  readonly name: string
  readonly operation: PatchOperation
  /** The pointers' steps through a draft. */
  readonly path: readonly string[]
  readonly from: readonly string[]
}

/** The operation at this index of a patch. */
export function stepOf(operation: PatchOperation, index: number): PatchStep {
  const { op, path, from = '' } = operation
  const through = (pointer: string) => parsePointer(pointer).map(draftKey)
  return {
    name: `[${index}]`,
    operation,
    path: through(path),
    // Other operations take no notice of it, whatever it is.
    from: op === 'move' || op === 'copy' ? through(from) : [],
  }
}

import type { JsonValue } from '../../lib/json/json.ts'
import { parsePointer } from '../../lib/json/json-pointer.ts'
import { draftKey } from './draft.ts'

/** An operation of a validated patch. Operations that need `from` or `value` have it. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: string
  readonly from?: string
  readonly value?: JsonValue
}

/** An operation with its index and parsed pointers. */
export interface PatchStep {
  /** Its name in error messages, such as `[2]`. */
  readonly name: string
  readonly operation: PatchOperation
  /** The steps of the pointer, escaped for a draft. */
  readonly path: readonly string[]
  readonly from: readonly string[]
}

/** Parses the operation at this index of a patch. */
export function stepOf(operation: PatchOperation, index: number): PatchStep {
  const { op, path, from = '' } = operation
  const steps = (pointer: string) => parsePointer(pointer).map(draftKey)
  return {
    name: `[${index}]`,
    operation,
    path: steps(path),
    // Other operations ignore `from`.
    from: op === 'move' || op === 'copy' ? steps(from) : [],
  }
}

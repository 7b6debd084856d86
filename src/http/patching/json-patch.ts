import { applyPatch, type Operation } from 'rfc6902'
import { assert, unreachable } from '../../lib/assert.ts'
import { allSteps, type Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { formatPointer } from '../../lib/json/json-pointer.ts'
import { draftOf, valueOfDraft } from './draft.ts'
import { type PatchOperation, type PatchStep, stepOf } from './patch-step.ts'
import {
  requireDepth,
  isTestForMissing,
  requireEqual,
  requireAddable,
  requireValue,
  remainingCopyBytes,
} from './step-checks.ts'

/** The values that one patch moves and copies may total this many times the maximum body size. */
const MAX_COPIED_BODIES = 4

/** The operations of a patch between two pauses: a few milliseconds. */
export const OPERATIONS_PER_STEP = 512

/** Holds a value during a move. No pointer of a patch can lead there. */
const MOVED_VALUE = '/\0moving'

interface Options {
  /** The maximum size of a body, in bytes. */
  readonly bodyLimit: number
  /** Whether a test for null passes if there is no value. */
  readonly nullEqualsMissing?: boolean
}

/**
 * Applies a JSON Patch (RFC 6902) to a copy of the document. Throws `state-conflict` if an operation
 * does not fit the document, and `invalid` if the patch exceeds a limit.
 */
export function applyJsonPatch(
  document: JsonObject,
  operations: readonly PatchOperation[],
  options: Options,
): JsonObject {
  return allSteps(jsonPatchInSteps(document, operations, options))
}

/** Does the same in steps. */
export function* jsonPatchInSteps(
  document: JsonObject,
  operations: readonly PatchOperation[],
  { bodyLimit, nullEqualsMissing = false }: Options,
): Steps<JsonObject> {
  const draft = draftOf(document)
  let remaining = MAX_COPIED_BODIES * bodyLimit
  for (const [index, operation] of operations.entries()) {
    if (index % OPERATIONS_PER_STEP === 0) yield
    const step = stepOf(operation, index)
    if (nullEqualsMissing && isTestForMissing(draft, step)) continue
    if (operation.op === 'move' || operation.op === 'copy')
      remaining = remainingCopyBytes(remaining, draft, step)
    apply(draft, step)
  }
  yield
  const patched = valueOfDraft(draft)
  assert(isJsonObject(patched), 'a patched object is an object')
  return patched
}

/** Checks everything that the library does not check, then calls it. */
function apply(draft: JsonValue, step: PatchStep): void {
  const { op } = step.operation
  const [path, from] = [formatPointer(step.path), formatPointer(step.from)]
  const value = draftOf(step.operation.value ?? null)
  switch (op) {
    case 'test':
      // The library is slow here, because it computes the shortest difference between two lists.
      requireEqual(draft, step, value)
      return
    case 'remove':
      requireValue(draft, step, 'path')
      change(draft, { op, path })
      return
    case 'add':
      requireAddable(draft, step)
      requireDepth(step, value)
      change(draft, { op, path, value })
      return
    case 'replace':
      requireValue(draft, step, 'path')
      requireDepth(step, value)
      change(draft, { op, path, value })
      return
    case 'copy':
      requireDepth(step, requireValue(draft, step, 'from'))
      requireAddable(draft, step)
      change(draft, { op, from, path })
      return
    case 'move':
      // Two steps, because the target path refers to the document without the moved value.
      requireDepth(step, requireValue(draft, step, 'from'))
      change(draft, { op, from, path: MOVED_VALUE })
      requireAddable(draft, step)
      change(draft, { op, from: MOVED_VALUE, path })
      return
    default:
      unreachable(op)
  }
}

function change(draft: JsonValue, operation: Operation): void {
  const [failure] = applyPatch(draft, [operation])
  assert(failure === null, `${operation.op} at '${operation.path}' can be applied`)
}

import { applyPatch, type Operation } from 'rfc6902'
import { assert, unreachable } from '../../lib/assert.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { formatPointer } from '../../lib/json/json-pointer.ts'
import { draftOf, valueOfDraft } from './draft.ts'
import { type PatchOperation, type PatchStep, stepOf } from './patch-step.ts'
import {
  requireDepth,
  requireEqual,
  requireAddable,
  requireValue,
  remainingCopyBytes,
} from './step-checks.ts'

/** What the moves and copies of one patch may carry: so many times the limit of a body. */
const MAX_COPIED_BODIES = 4

/** Where a value is while it moves. No pointer of a patch leads there. */
const MOVED_VALUE = '/\0moving'

/**
 * What a JSON Patch (RFC 6902) makes of the document, which stays as it is. Where an operation
 * does not fit, the whole patch fails with `state-conflict`, or with `invalid` where it asks for too much.
 */
export function applyJsonPatch(
  document: JsonObject,
  operations: readonly PatchOperation[],
  bodyLimit: number,
): JsonObject {
  const draft = draftOf(document)
  let room = MAX_COPIED_BODIES * bodyLimit
  for (const [index, operation] of operations.entries()) {
    const step = stepOf(operation, index)
    if (operation.op === 'move' || operation.op === 'copy')
      room = remainingCopyBytes(room, draft, step)
    apply(draft, step)
  }
  const patched = valueOfDraft(draft)
  assert(isJsonObject(patched), 'a patched object is an object')
  return patched
}

/** What the library is lax about is checked before it is called. */
function apply(draft: JsonValue, step: PatchStep): void {
  const { op } = step.operation
  const [path, from] = [formatPointer(step.path), formatPointer(step.from)]
  const value = draftOf(step.operation.value ?? null)
  switch (op) {
    case 'test':
      // Not by the library: it compares lists by the shortest way from one to the other.
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
      // In two: the place is one of the document from which the value has been taken.
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

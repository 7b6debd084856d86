import { jsonPatchInSteps } from '../../http/patching/json-patch.ts'
import type { PatchOperation } from '../../http/patching/patch-step.ts'
import { allSteps, type Steps } from '../../lib/async/steps.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { KubeError } from '../errors/kube-error.ts'
import { malformedPatch, patchDoesNotFit } from './patch-failure.ts'

const MAX_OPERATIONS = 10_000

/** Maximum size of an object; it limits the values that one patch copies. */
const OBJECT_LIMIT_BYTES = 1_572_864

const OPERATIONS: readonly PatchOperation['op'][] = [
  'add',
  'remove',
  'replace',
  'move',
  'copy',
  'test',
]

/** Applies the body of a JSON Patch (RFC 6902) to a copy of the object. */
export function applyJsonPatchBody(current: JsonObject, body: JsonValue): JsonObject {
  return allSteps(jsonPatchBodyInSteps(current, body))
}

/** Does the same in steps. */
export function* jsonPatchBodyInSteps(current: JsonObject, body: JsonValue): Steps<JsonObject> {
  if (!Array.isArray(body)) throw malformedPatch('a JSON patch must be a list of operations')
  if (body.length > MAX_OPERATIONS) throw tooManyOperations(body.length)
  const operations = body.map(operationOf)
  try {
    const options = { bodyLimit: OBJECT_LIMIT_BYTES, nullEqualsMissing: true }
    return yield* jsonPatchInSteps(current, operations, options)
  } catch (error) {
    if (error instanceof FlotillaError) throw patchDoesNotFit(error.message, error)
    throw error
  }
}

function operationOf(value: JsonValue, index: number): PatchOperation {
  if (!isJsonObject(value)) throw malformedPatch(`[${index}] must be an object`)
  const op = OPERATIONS.find((name) => name === value['op'])
  if (op === undefined) throw patchDoesNotFit(`[${index}] has an unknown operation`)
  const operation = { op, path: pointerOf(value['path'], `[${index}].path`) }
  const changesRoot = op !== 'test' && operation.path === ''
  if (changesRoot) throw patchDoesNotFit(`[${index}].path must not be the whole object`)
  if (op !== 'move' && op !== 'copy') return { ...operation, value: value['value'] ?? null }
  const from = pointerOf(value['from'], `[${index}].from`)
  const isInside = op === 'move' && `${operation.path}/`.startsWith(`${from}/`)
  if (isInside && operation.path !== from) {
    throw patchDoesNotFit(`[${index}].path must not be inside [${index}].from`)
  }
  return { ...operation, from }
}

function pointerOf(value: JsonValue | undefined, name: string): string {
  if (typeof value === 'string' && (value === '' || value.startsWith('/'))) return value
  throw patchDoesNotFit(`${name} must be a JSON pointer`)
}

function tooManyOperations(count: number): KubeError {
  const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${count}`
  return new KubeError('too-large', message, {
    code: 413,
    statusReason: 'RequestEntityTooLarge',
  })
}

import { isDeepStrictEqual } from 'node:util'
import { FlotillaError, invalid } from '../../lib/errors.ts'
import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import { canAddAt, parsePointer, valueAt } from '../../lib/json/json-pointer.ts'
import { MAX_DEPTH } from '../json/check-json.ts'
import type { PatchStep } from './patch-step.ts'

/** What stands at the step's `path` or `from`; `state-conflict` where nothing does. */
export function requireValue(
  draft: JsonValue,
  step: PatchStep,
  member: 'path' | 'from',
): JsonValue {
  const value = valueAt(draft, step[member])
  if (value !== undefined) return value
  const field = `${step.name}.${member}`
  const pointer = step.operation[member]
  throw conflict(field, `${field} '${pointer}' leads to nothing in the resource as it is`, pointer)
}

/** `state-conflict` where no value can be put at the step's path. */
export function requireAddable(draft: JsonValue, { name, operation, path }: PatchStep): void {
  if (canAddAt(draft, path)) return
  const field = `${name}.path`
  const message = `${field} '${operation.path}' leads neither into an object nor up to the end of a list of the resource as it is`
  throw conflict(field, message, operation.path)
}

/** `state-conflict` where something else than `expected` stands at the step's path. */
export function requireEqual(draft: JsonValue, step: PatchStep, expected: JsonValue): void {
  const found = requireValue(draft, step, 'path')
  if (isDeepStrictEqual(found, expected)) return
  const field = `${step.name}.value`
  const message = `${field} is not what stands at '${step.operation.path}': found ${shown(found)}`
  throw conflict(field, message, found)
}

/** `invalid` where the value would be nested too deep; at every step, so that all can be walked through. */
export function requireDepth({ name, operation, path }: PatchStep, value: JsonValue): void {
  if (path.length + depthOf(value) <= MAX_DEPTH) return
  const field = parsePointer(operation.path).join('.')
  const message = `${field} is nested over ${MAX_DEPTH} levels by the operation ${name}`
  throw invalid([{ field, message, constraint: 'max-depth' }])
}

/** What is left of the room for moves and copies after this step; `invalid` where that is too little. */
export function remainingCopyBytes(
  room: number,
  draft: JsonValue,
  { name, from }: PatchStep,
): number {
  const left = room - JSON.stringify(valueAt(draft, from) ?? null).length
  if (left >= 0) return left
  const field = `${name}.from`
  const message = `${field} is too much: the moves and copies of one patch carry more than the server takes; replace the values instead`
  throw invalid([{ field, message, constraint: 'max-size' }])
}

function conflict(field: string, message: string, value: unknown): FlotillaError {
  return new FlotillaError('state-conflict', message, { causes: [{ field, message, value }] })
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const member of Object.values(value)) deepest = Math.max(deepest, depthOf(member))
  return deepest + 1
}

function shown(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list'
  return isJsonObject(value) ? 'an object' : JSON.stringify(value)
}

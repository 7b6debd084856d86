import { isDeepStrictEqual } from 'node:util'
import { FlotillaError, invalid } from '../../lib/errors.ts'
import { isDeeperThan } from '../../lib/json/is-deeper-than.ts'
import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import { canAddAt, parsePointer, valueAt } from '../../lib/json/json-pointer.ts'
import { MAX_DEPTH } from '../json/check-json.ts'
import type { PatchStep } from './patch-step.ts'

/** Returns the value at the step's `path` or `from`. Throws `state-conflict` if there is none. */
export function requireValue(draft: JsonValue, step: PatchStep, name: 'path' | 'from'): JsonValue {
  const value = valueAt(draft, step[name])
  if (value !== undefined) return value
  const field = `${step.name}.${name}`
  const pointer = step.operation[name]
  throw conflict(field, `${field} '${pointer}' does not exist in the current resource`, pointer)
}

/** Throws `state-conflict` if no value can be added at the step's path. */
export function requireAddable(draft: JsonValue, { name, operation, path }: PatchStep): void {
  if (canAddAt(draft, path)) return
  const field = `${name}.path`
  const message = `${field} '${operation.path}' is neither in an object nor in a list, up to its end, of the current resource`
  throw conflict(field, message, operation.path)
}

/** Whether the step tests for null and its path could exist, but does not. */
export function isTestForMissing(draft: JsonValue, { operation, path }: PatchStep): boolean {
  if (operation.op !== 'test' || (operation.value ?? null) !== null) return false
  return valueAt(draft, path) === undefined && canAddAt(draft, path)
}

/** Throws `state-conflict` if the value at the step's path is not the expected one. */
export function requireEqual(draft: JsonValue, step: PatchStep, expected: JsonValue): void {
  const found = requireValue(draft, step, 'path')
  if (isDeepStrictEqual(found, expected)) return
  const field = `${step.name}.value`
  const message = `${field} is not the value at '${step.operation.path}': found ${describe(found)}`
  throw conflict(field, message, found)
}

/**
 * Throws `invalid` if the value would be nested too deep. Checked at every step, so that recursion
 * over a draft is always safe.
 */
export function requireDepth({ name, operation, path }: PatchStep, value: JsonValue): void {
  if (path.length <= MAX_DEPTH && !isDeeperThan(value, MAX_DEPTH - path.length)) return
  const field = parsePointer(operation.path).join('.')
  const message = `${field} is nested over ${MAX_DEPTH} levels by the operation ${name}`
  throw invalid([{ field, message, constraint: 'max-depth' }])
}

/** Subtracts the size of a moved or copied value from the remaining bytes. Throws `invalid` below 0. */
export function remainingCopyBytes(
  remaining: number,
  draft: JsonValue,
  { name, from }: PatchStep,
): number {
  const left = remaining - JSON.stringify(valueAt(draft, from) ?? null).length
  if (left >= 0) return left
  const field = `${name}.from`
  const message = `${field} exceeds the limit for the total size of values that one patch moves and copies; replace the values instead`
  throw invalid([{ field, message, constraint: 'max-size' }])
}

function conflict(field: string, message: string, value: unknown): FlotillaError {
  return new FlotillaError('state-conflict', message, { causes: [{ field, message, value }] })
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list'
  return isJsonObject(value) ? 'an object' : JSON.stringify(value)
}

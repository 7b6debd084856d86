import { CelError } from '../cel-error.ts'
import { isSameType } from '../types/type.ts'
import { CelDuration, CelObject, CelTimestamp, CelUint, type CelValue } from './value.ts'

/** Charges steps for a part of a value; throws when none are left. */
export type Spend = (steps: number) => void

/** The steps for one character or item, as in Kubernetes. */
export const STEPS_PER_ITEM = 0.1

/** Whether a value without parts equals another value. */
export function isSameScalar(one: CelValue, other: CelValue, spend: Spend): boolean {
  spend(STEPS_PER_ITEM)
  if (one === other) return true
  if (typeof one === 'string' || typeof other === 'string') return false
  if (isNumber(one)) return isNumber(other) && compareNumbers(one, other) === 0
  if (one instanceof CelObject) return other instanceof CelObject && one.isSame(other)
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return false
  return compareBytes(one, other, spend) === 0
}

type CelNumber = bigint | number | CelUint

/** Whether the value is a number. */
export function isNumber(value: CelValue): value is CelNumber {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint
}

/**
 * Compares numbers of any types; NaN if one of them is NaN. An integer is rounded to a double
 * before it is compared with one, as in cel-go.
 */
function compareNumbers(one: CelNumber, other: CelNumber): number {
  const [left, right] = [plain(one), plain(other)]
  if (typeof left !== typeof right) return compareNumbers(Number(left), Number(right))
  if (left < right) return -1
  if (left > right) return 1
  return Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : 0
}

function plain(value: CelNumber): bigint | number {
  return value instanceof CelUint ? value.value : value
}

/** Negative if the first value is less, positive if it is greater, NaN if neither. */
export function compareValues(one: CelValue, other: CelValue, spend: Spend): number {
  if (isNumber(one) && isNumber(other)) return compareNumbers(one, other)
  if (typeof one === 'string' && typeof other === 'string') {
    return compareTexts(one, other)
  }
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other)
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    return compareBytes(one, other, spend)
  }
  if (isTime(one) && isTime(other) && isSameType(one.type, other.type)) {
    return compareNumbers(one.nanos, other.nanos)
  }
  throw new CelError('no such overload')
}

function isTime(value: CelValue): value is CelDuration | CelTimestamp {
  return value instanceof CelDuration || value instanceof CelTimestamp
}

/** Orders by code points, as UTF-8 does; UTF-16 puts surrogates before U+E000. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  if (at === length) return one.length - other.length
  return ordinal(one.charCodeAt(at)) - ordinal(other.charCodeAt(at))
}

function ordinal(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function compareBytes(one: Uint8Array, other: Uint8Array, spend: Spend): number {
  spend(STEPS_PER_ITEM * Math.min(one.length, other.length))
  return Buffer.compare(one, other)
}

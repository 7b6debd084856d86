import { spendSteps } from '../evaluation-budget.ts'

/** Whether two CEL values are equal. Integers equal doubles of the same value. */
export function isSameCelValue(one: unknown, other: unknown): boolean {
  spendSteps(1)
  if (one === other) return true
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameCelValue(item, other[index]))
    )
  }
  if (one instanceof Map) {
    if (!(other instanceof Map) || one.size !== other.size) return false
    return [...one].every(([key, value]) => {
      return other.has(key) && isSameCelValue(value, other.get(key))
    })
  }
  if (one instanceof Date) return other instanceof Date && one.getTime() === other.getTime()
  return isNumber(one) && isNumber(other) && Number(one) === Number(other)
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

import { isJsonObject } from './json-object.ts'

/**
 * The path of a number that JSON cannot store exactly, such as `.nan` or an integer above 2^53; null
 * if there is none. Sending it would store another value.
 */
export function inexactNumber(value: unknown, path = ''): string | null {
  if (typeof value === 'number') {
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || isSafe(value))
    return isExact ? null : path
  }
  const entries = Array.isArray(value)
    ? value.map((item, index): [string, unknown] => [`${path}[${index}]`, item])
    : isJsonObject(value)
      ? Object.entries(value).map(([key, item]): [string, unknown] => [joined(path, key), item])
      : []
  for (const [place, item] of entries) {
    const found = inexactNumber(item, place)
    if (found !== null) return found
  }
  return null
}

/** Floats such as 1e300 are integers too, and are written with an exponent. */
function isSafe(value: number): boolean {
  return Number.isSafeInteger(value) || Math.abs(value) >= 1e21
}

const joined = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

import { CelError } from '../cel-error.ts'
import type { Spend } from '../values/compare-values.ts'
import { formatDuration, formatTimestamp } from '../values/times.ts'
import {
  CelDuration,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  isList,
  isMap,
  keysOf,
  type MapKey,
  mapKeyOf,
} from '../values/value.ts'
import { formatDouble } from './conversions.ts'
import type { PartsOf } from './function.ts'
import { spendText } from './text-limit.ts'

const CLAUSE = /%(?:(%)|(?:\.(\d{1,3}))?([^]))|%$/gu

/** The result of `format`: `%s`, `%d`, `%f`, `%e`, `%b`, `%o`, `%x` and `%X`. */
export function* formatText(
  template: string,
  values: readonly CelValue[],
  spend: Spend,
): PartsOf<string> {
  spendText(template.length, spend)
  const parts: string[] = []
  let [index, start] = [0, 0]
  for (const match of template.matchAll(CLAUSE)) {
    const [clause, percent, precision, verb] = match
    parts.push(template.slice(start, match.index))
    start = match.index + clause.length
    if (percent !== undefined) parts.push('%')
    else if (verb === undefined) throw new CelError('unexpected end of string')
    else {
      const value = values[index]
      if (value === undefined) throw new CelError(`index ${index} out of range`)
      index += 1
      const text =
        verb === 's'
          ? yield* shown(value, spend)
          : formattedScalar(verb, value, Number(precision ?? 6))
      spendText(text.length, spend)
      parts.push(text)
    }
    yield 2
  }
  parts.push(template.slice(start))
  return parts.join('')
}

function formattedScalar(verb: string, value: CelValue, digits: number): string {
  switch (verb) {
    case 'd':
      return decimal(value)
    case 'f':
      return fixed(value, digits, false)
    case 'e':
      return fixed(value, digits, true)
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0'
      return integer(value, verb).toString(2)
    case 'o':
      return integer(value, verb).toString(8)
    case 'x':
      return hexadecimal(value)
    case 'X':
      return hexadecimal(value).toUpperCase()
    default:
      throw new CelError(
        `could not parse formatting clause: unrecognized formatting clause "${verb}"`,
      )
  }
}

function invalid(verb: string, allowed: string): CelError {
  return new CelError(`error during formatting: %${verb} can only be used on ${allowed}`)
}

function decimal(value: CelValue): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return infinite(value)
  return String(integer(value, 'd'))
}

function integer(value: CelValue, verb: string): bigint {
  if (typeof value === 'bigint') return value
  if (value instanceof CelUint) return value.value
  throw invalid(verb, 'integers')
}

function infinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? 'Infinity' : '-Infinity'
}

function fixed(value: CelValue, digits: number, isScientific: boolean): string {
  const isInteger = typeof value === 'bigint' || value instanceof CelUint
  const number = isInteger ? Number(integer(value, 'f')) : value
  if (typeof number !== 'number') throw invalid(isScientific ? 'e' : 'f', 'numbers')
  if (!Number.isFinite(number)) return infinite(number)
  if (digits > 100) throw new CelError('precision is too large')
  if (!isScientific) return Math.abs(number) < 1e21 ? toFixed(number, digits) : wide(number, digits)
  return number.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2')
}

/** Rounds to even if two results are as close, as Go does; JavaScript rounds up. */
function toFixed(value: number, digits: number): string {
  const text = value.toFixed(digits)
  const isOdd = /[13579]$/.test(text)
  // A double between two results ends with a 5 after this many digits.
  const exact = digits < 100 && isOdd ? value.toFixed(Math.min(digits + 50, 100)) : text
  const rest = exact.slice(text.length + (digits === 0 ? 1 : 0))
  return /^50*$/.test(rest) ? exact.slice(0, text.length) : text
}

function wide(value: number, digits: number): string {
  return digits === 0 ? String(BigInt(value)) : `${BigInt(value)}.${'0'.repeat(digits)}`
}

function hexadecimal(value: CelValue): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex')
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return integer(value, 'x').toString(16)
}

/** The text of a value as `%s` shows it. */
function* shown(value: CelValue, spend: Spend): PartsOf<string> {
  spend(1)
  if (value !== null && isList(value)) {
    const items: string[] = []
    for (const item of value) {
      items.push(yield* shown(item, spend))
      yield
    }
    return `[${items.join(', ')}]`
  }
  if (value === null || !isMap(value)) return shownScalar(value)
  const members: string[] = []
  for (const key of keysOf(value)) {
    const plain = mapKeyOf(key)
    const member = plain === undefined ? null : (value.get(plain) ?? null)
    members.push(`${yield* shown(key, spend)}: ${yield* shown(member, spend)}`)
    yield
  }
  return `{${members.toSorted().join(', ')}}`
}

type Scalar = Exclude<CelValue, readonly CelValue[] | ReadonlyMap<MapKey, CelValue>>

function shownScalar(value: Scalar): string {
  if (value === null) return 'null'
  if (typeof value === 'number')
    return Number.isFinite(value) ? formatDouble(value) : infinite(value)
  if (typeof value !== 'object') return String(value)
  if (value instanceof CelUint) return String(value.value)
  if (value instanceof CelTimestamp) return formatTimestamp(value)
  if (value instanceof CelDuration) return formatDuration(value)
  if (value instanceof CelTypeValue) return value.named.name
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  throw invalid('s', 'values that have a text')
}

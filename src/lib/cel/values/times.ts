import { CelError } from '../cel-error.ts'
import { CelDuration, CelTimestamp } from './value.ts'

export const NANOS_PER_SECOND = 1_000_000_000n
const MAX_DURATION = 2n ** 63n - 1n
const MIN_TIME = -62_135_596_800n * NANOS_PER_SECOND
const MAX_TIME = 253_402_300_800n * NANOS_PER_SECOND - 1n

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', NANOS_PER_SECOND],
  ['m', 60n * NANOS_PER_SECOND],
  ['h', 3600n * NANOS_PER_SECOND],
])

/** A duration, or an error if it exceeds the range of int64 nanoseconds. */
export function durationOf(nanos: bigint): CelDuration {
  if (nanos > MAX_DURATION || nanos < -MAX_DURATION - 1n) throw new CelError('integer overflow')
  return new CelDuration(nanos)
}

/** A time, or an error if it is outside of the years 1 to 9999. */
export function timestampOf(nanos: bigint): CelTimestamp {
  if (nanos > MAX_TIME || nanos < MIN_TIME) throw new CelError('timestamp overflow')
  return new CelTimestamp(nanos)
}

/** Parses a duration such as `1h30m` or `-1.5s`. */
export function parseDuration(text: string): CelDuration {
  const match = /^([+-]?)(0|(?:\d{0,20}(?:\.\d{0,20})?(?:ns|us|µs|μs|ms|s|m|h)){1,20})$/.exec(text)
  if (!match) throw new CelError(`invalid duration: ${JSON.stringify(text)}`)
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of (match[2] ?? '').matchAll(
    /(\d*)(?:\.(\d*))?([a-zµμ]+)/g,
  )) {
    if (whole === '' && fraction === '') {
      throw new CelError(`invalid duration: ${JSON.stringify(text)}`)
    }
    const size = UNITS.get(unit) ?? 0n
    total += BigInt(whole || '0') * size
    if (fraction !== '') total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length)
  }
  return durationOf(match[1] === '-' ? -total : total)
}

const TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,20}))?([Zz]|[+-]\d{2}:\d{2})$/

/** Parses a time in RFC 3339. */
export function parseTimestamp(text: string): CelTimestamp {
  const match = TIME.exec(text)
  const seconds = match ? secondsOf(match) : null
  if (match === null || seconds === null) {
    throw new CelError(`invalid timestamp: ${JSON.stringify(text)}`)
  }
  const nanos = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'))
  return timestampOf(seconds * NANOS_PER_SECOND + nanos)
}

function secondsOf(match: RegExpExecArray): bigint | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number)
  const time = new Date(0)
  time.setUTCFullYear(year, month - 1, day)
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  const offset = offsetOf(match[8] ?? 'Z')
  if (offset === null) return null
  return BigInt(time.getTime() / 1000 + hour * 3600 + (minute - offset) * 60 + second)
}

/** The minutes of an offset such as `+02:00`; null if it is out of range. */
function offsetOf(text: string): number | null {
  const match = /^([+-])(\d{2}):(\d{2})$/.exec(text)
  if (!match) return 0
  const [hours, minutes] = [Number(match[2]), Number(match[3])]
  if (hours > 23 || minutes > 59) return null
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** The time in RFC 3339, with as many digits as needed. */
export function formatTimestamp({ nanos }: CelTimestamp): string {
  const seconds = floorDivide(nanos, NANOS_PER_SECOND)
  const fraction = nanos - seconds * NANOS_PER_SECOND
  const head = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  const digits = fraction.toString().padStart(9, '0').replace(/0+$/, '')
  return fraction === 0n ? `${head}Z` : `${head}.${digits}Z`
}

/** The duration in seconds, such as `1.5s`. */
export function formatDuration({ nanos }: CelDuration): string {
  const absolute = nanos < 0n ? -nanos : nanos
  const fraction = (absolute % NANOS_PER_SECOND).toString().padStart(9, '0').replace(/0+$/, '')
  const sign = nanos < 0n ? '-' : ''
  return `${sign}${absolute / NANOS_PER_SECOND}${fraction === '' ? '' : `.${fraction}`}s`
}

/** Rounds towards negative infinity. */
export function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor
  return value % divisor !== 0n && value < 0n !== divisor < 0n ? quotient - 1n : quotient
}

/** A time with a time zone as PostgreSQL and JSON write it. */
const TIME_TEXT =
  /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,3})(\d{1,3})?\d*)?(Z|[+-]\d\d(?::?\d\d)?)$/i

/** The unit of the times that a server writes. */
export type TimeUnit = 'millisecond' | 'microsecond'

/**
 * A time in microseconds, which PostgreSQL stores and `Date` does not. It is a `Date`, so that code
 * that needs milliseconds only can use it as one. Comparisons and texts include the microseconds.
 */
export class PreciseDate extends Date {
  /** The part below the millisecond, from 0 to 999. */
  readonly microseconds: number
  /** The unit of the clock that returned the time. */
  readonly unit: TimeUnit

  constructor(milliseconds: number, microseconds: number, unit: TimeUnit = 'microsecond') {
    super(milliseconds)
    this.microseconds = microseconds
    this.unit = unit
  }

  /** With six fractional digits. */
  override toISOString(): string {
    return `${super.toISOString().slice(0, -1)}${String(this.microseconds).padStart(3, '0')}Z`
  }

  /** Milliseconds with a fraction, for comparisons. */
  override valueOf(): number {
    return this.getTime() + this.microseconds / 1000
  }
}

/** The part of a time below the millisecond, from 0 to 999 microseconds. */
export function microsecondsOf(time: Date): number {
  return time instanceof PreciseDate ? time.microseconds : 0
}

/** The time this number of microseconds after 1970. */
export function timeOfMicroseconds(total: number): Date {
  const milliseconds = Math.floor(total / 1000)
  return new PreciseDate(milliseconds, total - milliseconds * 1000)
}

/**
 * Parses a time with a time zone in PostgreSQL's or the RFC 3339 form; digits after the sixth are
 * dropped. Other texts, such as `infinity`, become what `Date` makes of them.
 */
export function preciseDateOf(text: string): Date {
  const match = TIME_TEXT.exec(text)
  if (match === null) return new Date(text)
  const [, day, time, milliseconds = '', microseconds = '', zone = 'Z'] = match
  const offset = zone.length === 3 ? `${zone}:00` : zone.toUpperCase()
  return new PreciseDate(
    Date.parse(`${day}T${time}.${milliseconds.padEnd(3, '0')}${offset}`),
    Number(microseconds.padEnd(3, '0')),
  )
}

/** Parses a time that is stored beside `now`: in whole milliseconds if the clock has only these. */
export function timeBeside(now: Date, text: string): Date {
  const time = preciseDateOf(text)
  if (!(now instanceof PreciseDate) || now.unit === 'microsecond') return time
  return new PreciseDate(time.getTime(), 0)
}

/** The text of a time with six fractional digits; older versions stored three. */
export function sixDigits(text: string): string {
  return text.length === '2026-01-01T00:00:00.000Z'.length
    ? text.replace(/(\.\d{3})Z$/, '$1000Z')
    : text
}

/** A time with a time zone as PostgreSQL and JSON write it. */
const TIME_TEXT =
  /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,3})(\d{1,3})?\d*)?(Z|[+-]\d\d(?::?\d\d)?)$/

/**
 * A time in microseconds, which PostgreSQL stores and `Date` does not. It is a `Date`, so that code
 * that needs milliseconds only can use it as one. Comparisons and texts include the microseconds.
 */
export class PreciseDate extends Date {
  /** The part below the millisecond, from 0 to 999. */
  readonly microseconds: number

  constructor(milliseconds: number, microseconds: number) {
    super(milliseconds)
    this.microseconds = microseconds
  }

  /** With six fractional digits, or with three if the time is in whole milliseconds. */
  override toISOString(): string {
    const text = super.toISOString()
    if (this.microseconds === 0) return text
    return `${text.slice(0, -1)}${String(this.microseconds).padStart(3, '0')}Z`
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
  const offset = zone.length === 3 ? `${zone}:00` : zone
  return new PreciseDate(
    Date.parse(`${day}T${time}.${milliseconds.padEnd(3, '0')}${offset}`),
    Number(microseconds.padEnd(3, '0')),
  )
}

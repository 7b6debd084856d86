const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** Matches times that are canonical already, as most are: UTC with at most six fractional digits. */
const CANONICAL = /^(?!0000)\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/

/**
 * Converts an RFC 3339 time to UTC with `Z` and at most six fractional digits; further digits are
 * dropped. A leap second becomes the following second. Throws a RangeError if the text is not
 * an RFC 3339 time or its year in UTC is not between 0001 and 9999.
 */
export function canonicalInstant(text: string): string {
  if (CANONICAL.test(text) && !Number.isNaN(Date.parse(text))) return text
  const match = RFC_3339.exec(text)
  if (!match) throw new RangeError(`'${text}' is not an RFC 3339 time`)
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] =
    match
  const leap = second === '60'
  const base = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${leap ? '59' : second}Z`)
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000
  const time = base - (sign === '-' ? -offset : offset) + (leap ? 1000 : 0)
  const seconds = new Date(time).toISOString().slice(0, -'.000Z'.length)
  if (!/^\d{4}-/.test(seconds) || seconds.startsWith('0000')) {
    throw new RangeError(`the year of '${text}' is not between 0001 and 9999`)
  }
  const digits = (fraction ?? '').slice(0, 6)
  return digits === '' ? `${seconds}Z` : `${seconds}.${digits}Z`
}

/** Whether `canonicalInstant` accepts the text. */
export function isInstant(text: string): boolean {
  try {
    canonicalInstant(text)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

import net from 'node:net'

type Format = (text: string) => boolean

/** Texts over this length have no format, so that checks stay fast. */
const MAX_LENGTH = 65_536

const HEX4 = '[0-9a-f]{4}'
const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?'

/** The formats that schemas of custom resources may use. Hyphens in their names are optional. */
const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['bsonobjectid', matching(/^[0-9a-f]{24}$/i)],
  ['uri', isUri],
  ['email', matching(/^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/)],
  ['hostname', isHostname],
  ['ipv4', (text) => net.isIPv4(text)],
  ['ipv6', (text) => net.isIPv6(text) && !text.includes('%')],
  ['cidr', isCidr],
  [
    'mac',
    matching(/^[0-9a-f]{2}(?:(?::[0-9a-f]{2}){5}|(?:-[0-9a-f]{2}){5}|(?::[0-9a-f]{2}){7})$/i),
  ],
  ['uuid', matching(uuid('[0-9a-f]', '[0-9a-f]'))],
  ['uuid3', matching(uuid('3', '[0-9a-f]'))],
  ['uuid4', matching(uuid('4', '[89ab]'))],
  ['uuid5', matching(uuid('5', '[89ab]'))],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ['hexcolor', matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i)],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', matching(new RegExp(`^${LABEL}$`))],
  ['k8slongname', isLongName],
])

/** The check of a format; null if the format is unknown, which Kubernetes ignores. */
export function formatCheck(format: string): Format | null {
  const check = FORMATS.get(format.replaceAll('-', ''))
  if (!check) return null
  return (text) => text.length <= MAX_LENGTH && check(text)
}

function matching(pattern: RegExp): Format {
  return (text) => pattern.test(text)
}

function uuid(version: string, variant: string): RegExp {
  const third = version.length === 1 ? `${version}[0-9a-f]{3}` : HEX4
  const fourth = variant.length === 6 ? `${variant}[0-9a-f]{3}` : HEX4
  return new RegExp(`^[0-9a-f]{8}-?${HEX4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i')
}

function isUri(text: string): boolean {
  if (text.startsWith('/')) return !/[\s<>"`{}|\\^]/.test(text)
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text)
}

function isHostname(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.')
  return text.length <= 253 && labels.every((label) => new RegExp(`^${LABEL}$`, 'i').test(label))
}

function isLongName(text: string): boolean {
  return (
    text.length <= 253 &&
    text.split('.').every((label) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(label))
  )
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = net.isIP(address)
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false
  return Number(bits) <= (family === 4 ? 32 : 128)
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number)
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day))
  return date.toISOString().startsWith(text) || (year ?? 0) < 100
}

function isDateTime(text: string): boolean {
  const match =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:?\d{2})$/.exec(
      text,
    )
  if (!match || !isDate(match[1] ?? '')) return false
  return Number(match[2]) < 24 && Number(match[3]) < 60 && Number(match[4]) < 60
}

/** Go's durations, such as `1h30m`, and one number with a unit, such as `22 ns` or `3 days`. */
function isDuration(text: string): boolean {
  if (/^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true
  return /^\d+ ?(?:ns|nano|nanoseconds?|us|µs|micro|microseconds?|ms|milli|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)$/i.test(
    text,
  )
}

function isRgbColor(text: string): boolean {
  const match = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text)
  return match !== null && match.slice(1).every((part) => Number(part) <= 255)
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = Array.from(digits).reduce((total, digit, index) => {
    return total + (index + 1) * (digit === 'X' ? 10 : Number(digit))
  }, 0)
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  const sum = Array.from(digits).reduce((total, digit, index) => {
    return total + Number(digit) * (index % 2 === 0 ? 1 : 3)
  }, 0)
  return sum % 10 === 0
}

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  if (!/^\d{13,19}$/.test(digits)) return false
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}

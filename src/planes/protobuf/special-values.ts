import { jsonViolations } from '../../http/json/check-json.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import { wireFields } from './wire-reader.ts'
import { parseJsonText } from '../../lib/json/json-text.ts'

/** Decodes a message that has another form in JSON. Returns null for values that JSON omits. */
export const SPECIAL_VALUES: Readonly<Record<string, (message: Uint8Array) => JsonValue>> = {
  time: (message) => {
    const { seconds } = timestamp(message)
    return seconds === 0n ? null : instant(seconds).replace('.000Z', 'Z')
  },
  'micro-time': (message) => {
    const { seconds, nanos } = timestamp(message)
    if (seconds === 0n && nanos === 0n) return null
    const micros = String(nanos / 1000n).padStart(6, '0')
    return instant(seconds).replace('.000Z', `.${micros}Z`)
  },
  json: (message) => {
    const raw = textAt(message, 1)
    if (raw === '') return null
    const value = parseJsonText(raw)
    const [violation] = jsonViolations(raw, { integers: 'int64' })
    if (violation !== undefined) throw new RangeError(violation.message)
    return value
  },
  quantity: (message) => textAt(message, 1),
  'int-or-string': (message) => {
    const isText = integerAt(message, 1) === 1n
    return isText ? textAt(message, 3) : Number(BigInt.asIntN(32, integerAt(message, 2)))
  },
}

const MAX_SECONDS = 253_402_300_799n
const MIN_SECONDS = -62_135_596_800n

function timestamp(message: Uint8Array): { readonly seconds: bigint; readonly nanos: bigint } {
  const seconds = BigInt.asIntN(64, integerAt(message, 1))
  const nanos = BigInt.asIntN(32, integerAt(message, 2))
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS || nanos < 0n || nanos >= 1_000_000_000n) {
    throw new RangeError('timestamp out of range')
  }
  return { seconds, nanos }
}

const instant = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString()

function integerAt(message: Uint8Array, number: number): bigint {
  let found = 0n
  for (const field of wireFields(message)) if (field.number === number) found = field.integer
  return found
}

function textAt(message: Uint8Array, number: number): string {
  let found = ''
  for (const field of wireFields(message)) {
    if (field.number === number) found = Buffer.from(field.bytes).toString()
  }
  return found
}

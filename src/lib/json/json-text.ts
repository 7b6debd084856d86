import { randomUUID } from 'node:crypto'
import type { Steps } from '../async/steps.ts'
import { isJsonArray, type JsonObject, type JsonValue } from './json.ts'
import { scanJson } from './scan-json.ts'

/** Integers that a double might not hold. Text without a match needs no scan. */
const MAY_BE_LONG = /[0-9]{16}/
const INTEGER = /^-?[0-9]{16,}$/
/** From 2^54 on, JSON.stringify may replace the last digits of an integer with zeros. */
const ROUNDED = /(?:^|[[:,])-?[0-9]{17}/
/** From here on, JSON.stringify writes exponents. */
const MAX_DIGITS = 1e21
/** Marks a replaced integer. Clients cannot know it. */
const MARK = `${randomUUID()}:`

/**
 * Parses JSON like `JSON.parse`, except that integers which a double cannot hold exactly become
 * bigints. Throws a SyntaxError if the text is not JSON.
 */
export function parseJsonText(text: string): JsonValue {
  if (!MAY_BE_LONG.test(text)) return JSON.parse(text)
  const pieces: string[] = []
  let copied = 0
  scanJson(text, (token, start, end) => {
    const literal = token === 'number' ? text.slice(start, end) : ''
    if (!INTEGER.test(literal) || isExact(literal)) return
    pieces.push(text.slice(copied, start), `"${MARK}${literal}"`)
    copied = end
  })
  if (copied === 0) return JSON.parse(text)
  return JSON.parse(pieces.join('') + text.slice(copied), (_key, value: JsonValue) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  )
}

/** An integer as a JSON value: a bigint unless a double holds it exactly. */
export function exactInteger(value: bigint): number | bigint {
  const double = Number(value)
  return Number.isFinite(double) && BigInt(double) === value ? double : value
}

/** Whether a double holds an integer exactly. */
export function isExact(literal: string): boolean {
  const value = Number(literal)
  return (
    Number.isSafeInteger(value) || (Number.isFinite(value) && BigInt(literal) === BigInt(value))
  )
}

/**
 * Serializes a value with all digits of every integer. `JSON.stringify` rejects bigints and writes
 * the shortest text for a double: 2^63 becomes 9223372036854776000, which is a different number for
 * clients that parse integers exactly.
 */
export function jsonText(value: unknown): string {
  const text = stringified(value)
  return text === null || ROUNDED.test(text) ? exactText(value) : text
}

/** The same for an object, in steps: each item of the arrays that are its members is one. */
export function* jsonTextInSteps(object: JsonObject): Steps<string> {
  const members: string[] = []
  for (const [name, member] of Object.entries(object)) {
    const text = isJsonArray(member) ? yield* arrayText(member) : jsonText(member)
    members.push(`${JSON.stringify(name)}:${text}`)
    yield
  }
  return `{${members.join(',')}}`
}

function* arrayText(items: readonly JsonValue[]): Steps<string> {
  const texts: string[] = []
  for (const item of items) {
    texts.push(jsonText(item))
    yield
  }
  return `[${texts.join(',')}]`
}

/** Null if the value contains a bigint. */
function stringified(value: unknown): string | null {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

function exactText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < MAX_DIGITS) {
    return String(BigInt(value))
  }
  if (Array.isArray(value)) return `[${value.map(exactText).join(',')}]`
  if (typeof value !== 'object' || value === null || 'toJSON' in value) {
    return JSON.stringify(value) ?? 'null'
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactText(member)}`).join(',')}}`
}

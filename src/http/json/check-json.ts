import { MAX_VIOLATIONS, type Violation } from '../../lib/errors.ts'
import { type JsonToken, scanJson } from './scan-json.ts'

/** How many levels of objects and lists a body may have, itself included. */
export const MAX_DEPTH = 100

/**
 * Without any of these, every string is well-formed and every number has its exact value: an escaped
 * code unit, a number of many digits, a number with an exponent. Digits inside a string, such as
 * those of a digest, count only if they look like a number that follows a bracket, comma or space.
 */
const SUSPECT = /\\u|(?:^|[[:,\s])-?(?:[0-9.]{16}|[0-9.]+[eE])/

/** An open object or array and where in it the scan is. */
interface Level {
  readonly isArray: boolean
  index: number
  key: string
}

/**
 * The rules of a body that a schema cannot say: strings that PostgreSQL cannot store, numbers
 * that would not come back as they were sent, too deep nesting. `text` is valid JSON.
 */
export function jsonViolations(text: string, deepest = MAX_DEPTH): Violation[] {
  return SUSPECT.test(text) || mayBeDeep(text, deepest) ? scan(text, deepest) : []
}

function scan(text: string, deepest: number): Violation[] {
  const violations: Violation[] = []
  const levels: Level[] = []
  let depth = 0

  function report(message: string, constraint: string, value?: string): void {
    if (violations.length === MAX_VIOLATIONS) return
    const field = pathOf(levels)
    violations.push({ field, message: `${field} ${message}`, constraint, ...(value && { value }) })
  }

  function enter(isArray: boolean): void {
    depth += 1
    if (depth === deepest + 1) report(`is nested over ${deepest} levels`, 'max-depth')
    if (depth <= deepest) levels.push({ isArray, index: 0, key: '' })
  }

  function leave(): void {
    if (depth <= deepest) levels.pop()
    depth -= 1
  }

  scanJson(text, (token: JsonToken, start, end) => {
    if (token === '{' || token === '[') enter(token === '[')
    else if (token === '}' || token === ']') leave()
    else if (depth <= deepest) {
      const level = levels.at(-1)
      if (level && token === ',') level.index += 1
      if (level && token === 'key') level.key = stringOf(text.slice(start, end))
      const fault = faultIn(token, text, start, end)
      if (fault) report(...fault)
    }
  })
  return violations
}

type Fault = [message: string, constraint: string, value?: string]

function faultIn(token: JsonToken, text: string, start: number, end: number): Fault | null {
  if (token === 'number') return numberFault(text.slice(start, end))
  if (token !== 'string' && token !== 'key') return null
  const string = stringOf(text.slice(start, end))
  const where = token === 'key' ? 'is a key with' : 'has'
  if (string.includes('\0')) return [`${where} a NUL character`, 'no-nul']
  if (/\p{Surrogate}/u.test(string)) return [`${where} a lone surrogate`, 'well-formed']
  return null
}

function numberFault(literal: string): Fault | null {
  const value = Number(literal)
  if (!Number.isFinite(value)) {
    return ['is beyond the range of a double', 'finite', literal]
  }
  if (value === 0 && /^[^eE]*[1-9]/.test(literal)) {
    return ['is too small for a double: it would become 0', 'finite', literal]
  }
  if (!/[.eE]/.test(literal) && !Number.isSafeInteger(value) && BigInt(literal) !== BigInt(value)) {
    return ['is an integer that a double cannot hold exactly', 'exact-integer', literal]
  }
  return null
}

/** `spec.a[0].b` */
function pathOf(levels: readonly Level[]): string {
  const path = levels
    .map(({ isArray, index, key }) => (isArray ? `[${index}]` : `.${key}`))
    .join('')
  return path.startsWith('.') ? path.slice(1) : path
}

function stringOf(literal: string): string {
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)
}

/** Counts brackets, those in strings too: only says where a scan is not needed. */
function mayBeDeep(text: string, deepest: number): boolean {
  let brackets = 0
  for (let at = 0; at < text.length && brackets <= deepest; at += 1) {
    const character = text.charCodeAt(at)
    if (character === 0x7b || character === 0x5b) brackets += 1
  }
  return brackets > deepest
}

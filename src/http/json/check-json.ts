import { MAX_VIOLATIONS, type Violation } from '../../lib/errors.ts'
import { isExact } from '../../lib/json/json-text.ts'
import { type JsonToken, scanInSteps } from '../../lib/json/scan-json.ts'
import { allSteps, type Steps } from '../../lib/async/steps.ts'

/** Maximum nesting of objects and lists in a body, including the body. */
export const MAX_DEPTH = 100

/**
 * Matches text that needs a scan: an escaped code unit, a number with many digits or a number with an
 * exponent. In other text every string is well-formed and every number is exact. Digits in a string
 * match only after a bracket, comma, colon or space.
 */
const SUSPECT = /\\u|(?:^|[[:,\s])-?(?:[0-9.]{16}|[0-9.]+[eE])/

/** The limits of a body. */
export interface JsonLimits {
  /** Maximum nesting; 100 by default. */
  readonly maxDepth?: number
  /** Which integers are allowed: those that a double holds exactly, or also every int64. */
  readonly integers?: 'double' | 'int64'
}

/** An open object or array, with the index or key at which the scan is. */
interface Level {
  readonly isArray: boolean
  index: number
  key: string
}

/**
 * Checks the rules of a body that a schema cannot express: strings that PostgreSQL cannot store,
 * numbers that a double cannot hold, and nesting that is too deep. `text` must be valid JSON.
 */
export function jsonViolations(text: string, limits: JsonLimits = {}): Violation[] {
  return allSteps(jsonViolationsInSteps(text, limits))
}

/** The same in steps. */
export function* jsonViolationsInSteps(
  text: string,
  { maxDepth = MAX_DEPTH, integers = 'double' }: JsonLimits = {},
): Steps<Violation[]> {
  const isSuspect = SUSPECT.test(text)
  yield
  if (!isSuspect && !(yield* isDeep(text, maxDepth))) return []
  return yield* scan(text, { maxDepth, integers })
}

function* scan(text: string, { maxDepth, integers }: Required<JsonLimits>): Steps<Violation[]> {
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
    if (depth === maxDepth + 1) report(`is nested over ${maxDepth} levels`, 'max-depth')
    if (depth <= maxDepth) levels.push({ isArray, index: 0, key: '' })
  }

  function leave(): void {
    if (depth <= maxDepth) levels.pop()
    depth -= 1
  }

  yield* scanInSteps(text, (token: JsonToken, start, end) => {
    if (token === '{' || token === '[') enter(token === '[')
    else if (token === '}' || token === ']') leave()
    else if (depth <= maxDepth) {
      const level = levels.at(-1)
      if (level && token === ',') level.index += 1
      if (level && token === 'key') level.key = stringOf(text.slice(start, end))
      const literal = text.slice(start, end)
      const fault = token === 'number' ? numberFault(literal, integers) : textFault(token, literal)
      if (fault) report(...fault)
    }
  })
  return violations
}

type Fault = [message: string, constraint: string, value?: string]

function textFault(token: JsonToken, literal: string): Fault | null {
  if (token !== 'string' && token !== 'key') return null
  const string = stringOf(literal)
  const where = token === 'key' ? 'is a key with' : 'has'
  if (string.includes('\0')) return [`${where} a NUL character`, 'no-nul']
  if (/\p{Surrogate}/u.test(string)) return [`${where} a lone surrogate`, 'well-formed']
  return null
}

function numberFault(literal: string, integers: 'double' | 'int64'): Fault | null {
  const value = Number(literal)
  if (!Number.isFinite(value)) {
    return ['is beyond the range of a double', 'finite', literal]
  }
  if (value === 0 && /^[^eE]*[1-9]/.test(literal)) {
    return ['is too small for a double: it would become 0', 'finite', literal]
  }
  if (/[.eE]/.test(literal) || isExact(literal)) return null
  if (integers === 'double') {
    return ['is an integer that a double cannot hold exactly', 'exact-integer', literal]
  }
  if (BigInt.asIntN(64, BigInt(literal)) !== BigInt(literal)) {
    return ['is an integer that neither an int64 nor a double can hold', 'exact-integer', literal]
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

/** The characters of a step that looks at each of them: a few milliseconds. */
const CHARACTERS_PER_STEP = 1_048_576

/** Whether the brackets outside strings are nested over this depth. */
function* isDeep(text: string, maxDepth: number): Steps<boolean> {
  let depth = 0
  let inString = false
  let stepEnd = CHARACTERS_PER_STEP
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === 0x22) inString = !inString
    else if (inString) {
      if (character === 0x5c) at += 1
    } else if (character === 0x7b || character === 0x5b) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (character === 0x7d || character === 0x5d) depth -= 1
    if (at < stepEnd) continue
    stepEnd = at + CHARACTERS_PER_STEP
    yield
  }
  return false
}

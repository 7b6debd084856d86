import type { Environment } from '@marcbachmann/cel-js'
import { compileLinearPattern, type LinearPattern } from '../linear-pattern.ts'
import { spendSteps } from '../evaluation-budget.ts'
import { RESERVED_PREFIX } from '../rewrite-expression.ts'

/** Characters of a pattern and instructions of a match that cost one step. */
const PER_STEP = 100
/** The steps that the compilation of a short pattern takes. */
const COMPILATION_STEPS = 2000
const MAX_CACHED = 500

const CACHE = new Map<string, LinearPattern>()

/** Registers matches (under its safe name), find and findAll. */
export function registerPatterns(environment: Environment): void {
  environment
    .registerFunction(`string.${RESERVED_PREFIX}matches(string): bool`, matches)
    .registerFunction('matches(string, string): bool', matches)
    .registerFunction('string.find(string): string', (text: string, pattern: string) => {
      return found(text, pattern, 1)[0] ?? ''
    })
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => {
      return found(text, pattern, Number.POSITIVE_INFINITY)
    })
    .registerFunction(
      'string.findAll(string, int): list<string>',
      (text: string, pattern: string, limit: bigint) => {
        return found(text, pattern, limit < 0n ? Number.POSITIVE_INFINITY : Number(limit))
      },
    )
}

function matches(text: string, pattern: string): boolean {
  const compiled = cached(pattern)
  spendMatch(compiled, text)
  return compiled.test(text)
}

function found(text: string, pattern: string, limit: number): readonly string[] {
  const compiled = cached(pattern)
  return compiled.find(text, limit, () => spendMatch(compiled, text))
}

/** Charges for a match before it starts. */
function spendMatch(pattern: LinearPattern, text: string): void {
  spendSteps(1 + Math.ceil(pattern.stepsFor(text.length) / PER_STEP))
}

function cached(pattern: string): LinearPattern {
  const known = CACHE.get(pattern)
  if (known) return known
  spendSteps(COMPILATION_STEPS + PER_STEP * pattern.length)
  const compiled = compileLinearPattern(pattern)
  if (CACHE.size >= MAX_CACHED) CACHE.clear()
  CACHE.set(pattern, compiled)
  return compiled
}

import type { Spend } from '../values/compare-values.ts'
import type { CelValue } from '../values/value.ts'
import { CelError } from '../cel-error.ts'
import { intAt, textAt } from './arguments.ts'
import type { Declarations, Parts } from './function.ts'
import { compileLinearPattern, type LinearPattern, PatternError } from './linear-pattern.ts'
import { limitCall } from './text-limit.ts'

/** Characters of a pattern and instructions of a match that cost one step. */
const PER_STEP = 100
/** How many times longer than its price a test takes if the pattern has many states. */
const TEST_FACTOR = 6
/** The same for a search, which also finds the start of a match. */
const SEARCH_FACTOR = 10
/** The steps that the compilation of a short pattern takes. */
const COMPILATION_STEPS = 2000
const MAX_CACHED = 500

const CACHE = new Map<string, LinearPattern>()

/** `matches`, with patterns in RE2 syntax. */
export const MATCHES: Declarations = [
  ['string#matches(string): bool', { parts: matches }],
  ['matches(string, string): bool', { parts: matches }],
]

/** Kubernetes' `find` and `findAll`. */
export const PATTERNS: Declarations = [
  ['string#find(string): string', { parts: findFirst }],
  [
    'string#findAll(string): list<string>',
    { parts: (args, spend) => found(args, Infinity, spend) },
  ],
  [
    'string#findAll(string, int): list<string>',
    {
      parts: (args, spend) => {
        const limit = intAt(args, 2)
        return found(args, limit < 0n ? Infinity : Number(limit), spend)
      },
    },
  ],
]

function* matches(args: readonly CelValue[], spend: Spend): Parts {
  const [text, pattern] = [textAt(args, 0), textAt(args, 1)]
  const compiled = cached(pattern, spend)
  const uncharged = spendMatch(compiled, text, TEST_FACTOR, spend)
  const result = compiled.test(text)
  yield uncharged
  return result
}

function* findFirst(args: readonly CelValue[], spend: Spend): Parts {
  const [text, pattern] = [textAt(args, 0), textAt(args, 1)]
  const compiled = cached(pattern, spend)
  const uncharged = spendMatch(compiled, text, SEARCH_FACTOR, spend)
  const result = compiled.search(text)() ?? ''
  yield uncharged
  return result
}

function* found(args: readonly CelValue[], limit: number, spend: Spend): Parts {
  const [text, pattern] = [textAt(args, 0), textAt(args, 1)]
  const compiled = cached(pattern, spend)
  const next = compiled.search(text)
  const results: string[] = []
  while (results.length < limit) {
    const uncharged = spendMatch(compiled, text, SEARCH_FACTOR, spend)
    const result = next()
    yield uncharged
    if (result === null) break
    results.push(result)
  }
  return results
}

/** Charges for a match before it starts, and returns the steps of its time that were not charged. */
// oxlint-disable-next-line max-params -- called for each match: no object per call
function spendMatch(pattern: LinearPattern, text: string, factor: number, spend: Spend): number {
  const steps = 1 + Math.ceil(pattern.stepsFor(text.length) / PER_STEP)
  spend(steps)
  limitCall(factor * steps)
  return (factor - 1) * steps
}

function cached(pattern: string, spend: Spend): LinearPattern {
  const known = CACHE.get(pattern)
  if (known) return known
  spend(COMPILATION_STEPS + PER_STEP * pattern.length)
  const compiled = compile(pattern)
  if (CACHE.size >= MAX_CACHED) CACHE.clear()
  CACHE.set(pattern, compiled)
  return compiled
}

function compile(pattern: string): LinearPattern {
  try {
    return compileLinearPattern(pattern)
  } catch (error) {
    if (error instanceof PatternError) throw new CelError(error.message, { cause: error })
    throw error
  }
}

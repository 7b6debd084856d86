import type { CheckedExpression } from '../../../lib/cel/check/check-expression.ts'
import { withVariables } from '../../../lib/cel/language.ts'
import { lazy } from '../../../lib/lazy.ts'
import { optionalOf, type Type } from '../../../lib/cel/types/type.ts'
import { checkProgram, compileProgram, type Program } from '../../expressions/compile-program.ts'
import { createLanguage } from '../../expressions/language.ts'

/** The most programs in memory. Versions and planes often have the same rules. */
const MAX_CACHED = 1000

/** A server starts without it: a language takes 4 ms of CPU. */
const language = lazy(() => createLanguage({ self: 'dyn', oldSelf: 'dyn' }))
/** Least recently used first. */
const CACHE = new Map<string, Program>()

/**
 * Compiles an expression of a rule, whose variables are the value and its predecessor. Throws a
 * ProgramError.
 */
export function compileRuleProgram(text: string): Program {
  const program = CACHE.get(text) ?? compileProgram(language(), text)
  CACHE.delete(text)
  CACHE.set(text, program)
  const [oldest] = CACHE.keys()
  if (CACHE.size > MAX_CACHED && oldest !== undefined) CACHE.delete(oldest)
  return program
}

/**
 * Finds the types of an expression of a rule about values of a type. Throws a ProgramError with all
 * errors.
 */
export function checkRuleProgram(
  text: string,
  self: Type,
  hasOptionalOldSelf: boolean,
): CheckedExpression {
  const oldSelf = hasOptionalOldSelf ? optionalOf(self) : self
  return checkProgram(
    { ...withVariables(language(), { self, oldSelf }), isHomogeneous: true },
    text,
  )
}

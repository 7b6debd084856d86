import { compileProgram, type Program } from '../../expressions/compile-program.ts'
import { createLanguage } from '../../expressions/language.ts'

/** The most programs in memory. Versions and planes often have the same rules. */
const MAX_CACHED = 1000

const LANGUAGE = createLanguage({ self: 'dyn', oldSelf: 'dyn' })
/** Least recently used first. */
const CACHE = new Map<string, Program>()

/**
 * Compiles an expression of a rule, whose variables are the value and its predecessor. Throws a
 * ProgramError.
 */
export function compileRuleProgram(text: string): Program {
  const program = CACHE.get(text) ?? compileProgram(LANGUAGE, text)
  CACHE.delete(text)
  CACHE.set(text, program)
  const [oldest] = CACHE.keys()
  if (CACHE.size > MAX_CACHED && oldest !== undefined) CACHE.delete(oldest)
  return program
}

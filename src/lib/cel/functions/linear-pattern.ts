import { RE2JS } from 're2js'
import { errorMessage } from '../../error-message.ts'

/** The longest pattern, in UTF-16 units. */
const MAX_PATTERN = 10_000
/** The largest compiled pattern, in instructions. */
const MAX_PROGRAM = 5_000
/** A class of characters with many ranges, which each match searches: of Unicode, or a long list. */
const LARGE_CLASS = /\\p|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\]){40}/i
/** How many times longer an instruction with such a class takes: up to 44 ns instead of 24. */
const LARGE_CLASS_FACTOR = 2

/** A regular expression in RE2 syntax. The time of a match is at most linear in `stepsFor`. */
export interface LinearPattern {
  /** Whether any part of the text matches. */
  readonly test: (text: string) => boolean
  /** Returns the next match in the text at each call, without overlaps; null after the last. */
  readonly search: (text: string) => () => string | null
  /** The most steps that a match of a text of this length takes. */
  readonly stepsFor: (length: number) => number
}

/** The pattern does not compile; the message states the reason. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** Compiles a pattern, or throws a PatternError. */
export function compileLinearPattern(pattern: string): LinearPattern {
  if (pattern.length > MAX_PATTERN) {
    throw new PatternError(`the pattern has more than ${MAX_PATTERN} characters`)
  }
  const program = compiled(pattern)
  const size = program.programSize()
  if (size > MAX_PROGRAM) {
    throw new PatternError(`the pattern has ${size} instructions, more than ${MAX_PROGRAM}`)
  }
  const stepsPerCharacter = LARGE_CLASS.test(pattern) ? LARGE_CLASS_FACTOR * size : size
  return {
    test: (text) => program.test(text),
    search: (text) => {
      const matcher = program.matcher(text)
      return () => (matcher.find() ? (matcher.group() ?? '') : null)
    },
    stepsFor: (length) => (length + 1) * stepsPerCharacter,
  }
}

function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    throw new PatternError(errorMessage(error), { cause: error })
  }
}

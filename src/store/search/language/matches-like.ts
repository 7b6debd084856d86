type Step = 'many' | 'one' | { readonly exactly: string }

/** Whether SQL's LIKE matches, by code point: `%` is any text, `_` any character, `\` escapes. */
export function matchesLike(text: string, pattern: string): boolean {
  const steps = compilePattern(pattern)
  const characters = Array.from(text)
  let at = 0
  let step = 0
  /** The index of the last `%`, and the end of the text that it matches so far. */
  let wildcard = -1
  let reach = 0
  while (at < characters.length) {
    const current = steps[step]
    if (current === 'many') {
      wildcard = step
      reach = at
      step += 1
    } else if (current !== undefined && fits(current, characters[at])) {
      at += 1
      step += 1
    } else if (wildcard >= 0) {
      reach += 1
      at = reach
      step = wildcard + 1
    } else {
      return false
    }
  }
  return steps.slice(step).every((rest) => rest === 'many')
}

function fits(step: Exclude<Step, 'many'>, character: string | undefined): boolean {
  return step === 'one' || step.exactly === character
}

function compilePattern(pattern: string): readonly Step[] {
  const steps: Step[] = []
  let escaped = false
  for (const character of pattern) {
    if (escaped) {
      steps.push({ exactly: character })
      escaped = false
    } else if (character === '\\') escaped = true
    else if (character === '%') steps.push('many')
    else steps.push(character === '_' ? 'one' : { exactly: character })
  }
  return steps
}

/** The number of characters of a string that cost one step. */
const CHARACTERS_PER_STEP = 100

/** Limits the steps of an evaluation. Evaluations are synchronous, so they can share one budget. */
export interface Budget {
  /** Starts an evaluation with the full number of steps. */
  reset(): void
  /** Charges for a traversal of the value and returns it; throws when the steps are used up. */
  spend(value: unknown): unknown
}

export function createBudget(steps: number): Budget {
  let left = steps
  // Operators that swallow errors can cause it thousands of times; a new error would capture a
  // stack.
  const exceeded = new Error(`the expression takes more than ${steps} steps`)
  return {
    reset: () => {
      left = steps
    },
    spend: (value) => {
      left -= stepsOf(value)
      if (left < 0) throw exceeded
      return value
    },
  }
}

function stepsOf(value: unknown): number {
  if (Array.isArray(value)) return 1 + value.length
  if (value instanceof Map) return 1 + value.size
  return typeof value === 'string' ? Math.ceil(value.length / CHARACTERS_PER_STEP) : 1
}

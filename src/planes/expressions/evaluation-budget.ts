/** The number of characters of a string that cost one step. */
const CHARACTERS_PER_STEP = 10

/** The steps that evaluations may take together. */
export interface EvaluationBudget {
  /** Charges steps; throws a BudgetError when none are left. */
  spend(steps: number): void
  /** Throws the BudgetError if it has been thrown: operators such as `||` can swallow it. */
  check(): void
}

/** The expression takes too many steps. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError'
}

/** Creates a budget. */
export function createEvaluationBudget(steps: number): EvaluationBudget {
  let left = steps
  // Operators that swallow errors can cause it thousands of times; a new error would capture a
  // stack each time.
  const exceeded = new BudgetError(
    'call cost limit exceeded: the expression takes too many steps, so its evaluation has stopped',
  )
  return {
    spend: (count) => {
      left -= count
      if (left < 0) throw exceeded
    },
    check: () => {
      if (left < 0) throw exceeded
    },
  }
}

/** Evaluations are synchronous, so only one budget is in use at a time. */
let current: EvaluationBudget | null = null

/** Runs an evaluation that charges the budget. */
export function runWithBudget<Result>(budget: EvaluationBudget, run: () => Result): Result {
  const outer = current
  current = budget
  try {
    const result = run()
    budget.check()
    return result
  } finally {
    current = outer
  }
}

/** Charges the budget of the current evaluation. */
export function spendSteps(count: number): void {
  current?.spend(count)
}

/** Charges for a loop over the value, whose body has a number of nodes. Returns the value. */
export function spendLoop(value: unknown, weight: number): unknown {
  spendSteps(1 + lengthOf(value) * weight)
  return value
}

/** Charges for a traversal of the value with all its parts. Returns the value. */
export function spendTraversal(value: unknown): unknown {
  spendSteps(1)
  if (Array.isArray(value)) for (const item of value) spendTraversal(item)
  else if (value instanceof Map) for (const member of value.values()) spendTraversal(member)
  else if (typeof value === 'string') spendSteps(lengthOf(value))
  return value
}

/** Charges for a search in a list, or for a lookup in a map. Returns the value. */
export function spendSearch(value: unknown): unknown {
  if (!(value instanceof Map)) return spendTraversal(value)
  spendSteps(1)
  return value
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  if (value instanceof Map) return value.size
  return typeof value === 'string' ? Math.ceil(value.length / CHARACTERS_PER_STEP) : 1
}

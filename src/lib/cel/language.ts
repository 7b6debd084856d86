import { Environment } from '@marcbachmann/cel-js'
import { createBudget } from './budget.ts'

/** Similar to HyperFleet, whose cost limit is also 10 000, but in units of its engine. */
export const MAX_STEPS = 10_000

/** The longest result of toJson, in UTF-16 units. */
const MAX_JSON_LENGTH = 1024 * 1024

/** The function that charges the budget in metered expressions. Authors cannot call it. */
export const SPEND = '__spend'

/** The budget of the current evaluation. */
export const budget = createBudget(MAX_STEPS)

/** CEL for authors: HyperFleet's variables and functions, and optional fields. */
export const LANGUAGE = new Environment({
  enableOptionalTypes: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 1000, maxDepth: 50 },
})
  .registerVariable('statuses', 'list<dyn>')
  .registerVariable('resource', 'dyn')
  .registerFunction('dig(dyn, string): dyn', dig)
  .registerFunction('toJson(dyn): string', toJson)

/** CEL for metered expressions, which are larger than their source. */
export const METERED_LANGUAGE = LANGUAGE.clone({ limits: { maxAstNodes: 3000, maxDepth: 150 } })
METERED_LANGUAGE.registerFunction(`${SPEND}(dyn): dyn`, (value) => budget.spend(value))

/** The value at a dotted path such as `items.0.name`, or null if a step leads nowhere. */
function dig(target: unknown, path: string): unknown {
  const steps = path
    .split('.')
    .map((step) => step.trim())
    .filter((step) => step !== '')
  return steps.reduce(stepInto, target) ?? null
}

function stepInto(value: unknown, step: string): unknown {
  if (value instanceof Map) return value.get(step)
  return Array.isArray(value) && /^\d+$/.test(step) ? value[Number(step)] : null
}

/** A CEL value as JSON text. */
function toJson(value: unknown): string {
  const text = JSON.stringify(value, plain) ?? 'null'
  if (text.length > MAX_JSON_LENGTH) {
    throw new Error(`toJson makes more than ${MAX_JSON_LENGTH} characters`)
  }
  return text
}

function plain(_name: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value)
  return typeof value === 'bigint' ? Number(value) : value
}

import { Environment } from '@marcbachmann/cel-js'
import { createBudget } from './budget.ts'
import { dig } from './dig.ts'
import { toJson } from './to-json.ts'

/** About what HyperFleet allows (its cost limit is 10 000 too, in units of its own engine). */
export const MAX_STEPS = 10_000

/** Charges the budget in metered expressions; authors cannot call it. */
export const SPEND = '__spend'

/** The steps of the evaluation that runs. */
export const budget = createBudget(MAX_STEPS)

/** CEL as authors write it: HyperFleet's variables, functions and optional members. */
export const LANGUAGE = new Environment({
  enableOptionalTypes: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 1000, maxDepth: 50 },
})
  .registerVariable('statuses', 'list<dyn>')
  .registerVariable('resource', 'dyn')
  .registerFunction('dig(dyn, string): dyn', dig)
  .registerFunction('toJson(dyn): string', toJson)

/** CEL as it runs. */
export const METERED_LANGUAGE = LANGUAGE.clone({ limits: { maxAstNodes: 3000, maxDepth: 150 } })
METERED_LANGUAGE.registerFunction(`${SPEND}(dyn): dyn`, (value) => budget.spend(value))

import type { CheckedExpression } from '../../../lib/cel/check/check-expression.ts'
import { estimateCost } from '../../../lib/cel/cost/estimate-cost.ts'
import { forbiddenValue } from '../../errors/field-errors.ts'
import { MAX_REQUEST_BYTES, type SchemaType } from '../rules/schema-type.ts'
import type { ErrorList } from './structural-run.ts'

/** Kubernetes' limits of the estimated cost of a rule, and of all rules of a schema. */
const MAX_RULE_COST = 10_000_000
const MAX_TOTAL_COST = 100_000_000
/** The most rules that an error about the total names. */
const MAX_NAMED = 4

/** A checked expression of a rule with the type of its value. */
interface CostedRule {
  readonly checked: CheckedExpression
  readonly self: SchemaType
  /** The most values that the rule applies to in one object; null if there is no limit. */
  readonly cardinality: number | null
}

/** Sums the estimated costs of the rules of a schema and reports the expensive ones. */
export class RuleCosts {
  readonly #list: ErrorList
  readonly #costs: { readonly path: string; readonly cost: number }[] = []

  constructor(list: ErrorList) {
    this.#list = list
  }

  /** Adds the cost of an expression for all values that it applies to. */
  add(rule: CostedRule, path: string, name: 'rule' | 'messageExpression'): void {
    const { checked, self, cardinality } = rule
    const { max } = estimateCost(checked, { self, oldSelf: self })
    // A message is computed once, because the first violation of a rule is enough.
    const values = cardinality ?? Math.floor(MAX_REQUEST_BYTES / (self.minBytes + 1))
    const cost = name === 'messageExpression' || max === 0 ? max : max * values
    if (cost > MAX_RULE_COST) {
      const detail = costMessage(`estimated ${name} cost`, cost / MAX_RULE_COST)
      this.#list.add(forbiddenValue(path, detail))
    }
    this.#costs.push({ path, cost })
  }

  /** Reports a sum over the limit, with the most expensive rules. */
  finish(path: string): void {
    const sum = this.#costs.reduce((total, { cost }) => total + cost, 0)
    if (sum <= MAX_TOTAL_COST) return
    const worst = this.#costs.toSorted((one, other) => other.cost - one.cost).slice(0, MAX_NAMED)
    const detail =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    this.#list.add(
      ...worst.map((rule) => forbiddenValue(rule.path, detail)),
      forbiddenValue(path, costMessage(what, sum / MAX_TOTAL_COST)),
    )
  }
}

const REMEDY = [
  'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where',
  'arrays, maps, and strings are declared',
].join(' ')

function costMessage(what: string, factor: number): string {
  const digits = factor < 1.5 ? 6 : 1
  const shown = factor > 100 ? 'more than 100x' : `${factor.toFixed(digits)}x`
  return `${what} exceeds budget by factor of ${shown} (${REMEDY})`
}

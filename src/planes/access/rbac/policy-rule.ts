import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { textsOf } from '../../../lib/json/json-fields.ts'

/** A rule of a role. Absent lists are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  /** Plurals, with a subresource after a slash. */
  readonly resources: readonly string[]
  /** Empty for objects of every name. */
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

/** The rules by the list that contains them: computed roles of all planes share their lists. */
const parsed = new WeakMap<object, readonly PolicyRule[]>()

/** Reads the rules of a role. Values of the wrong type count as absent. */
export function policyRulesOf(value: JsonValue | undefined): readonly PolicyRule[] {
  if (!Array.isArray(value)) return []
  const cached = parsed.get(value)
  if (cached) return cached
  const items: readonly JsonValue[] = value
  const rules = items.filter((item): item is JsonObject => isJsonObject(item)).map(policyRuleOf)
  parsed.set(value, rules)
  return rules
}

function policyRuleOf(rule: JsonObject): PolicyRule {
  return {
    verbs: textsOf(rule['verbs']),
    apiGroups: textsOf(rule['apiGroups']),
    resources: textsOf(rule['resources']),
    resourceNames: textsOf(rule['resourceNames']),
    nonResourceURLs: textsOf(rule['nonResourceURLs']),
  }
}

/** Writes a rule as roles contain it, without empty lists. */
export function policyRuleJson({ verbs, ...rule }: PolicyRule): JsonObject {
  const lists = Object.entries<readonly string[]>(rule).filter(([, list]) => list.length > 0)
  return { ...Object.fromEntries(lists), verbs }
}

const sizes = new WeakMap<object, number>()

/** The number of texts in rules: the most comparisons of a decision with them. */
export function sizeOfRules(rules: readonly PolicyRule[]): number {
  const known = sizes.get(rules)
  if (known !== undefined) return known
  const size = rules.reduce((sum, rule) => sum + sizeOfRule(rule), 0)
  sizes.set(rules, size)
  return size
}

/** At least 1. */
export function sizeOfRule(rule: PolicyRule): number {
  const lists = Object.values<readonly string[]>({ ...rule })
  return lists.reduce((sum, list) => sum + list.length, 1)
}

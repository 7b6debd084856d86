import type { PlaneConfiguration } from '../../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import type { LabelRequirement } from '../../../store/objects/model/object-query.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { KubeError } from '../../errors/kube-error.ts'
import { labelSelectorRequirements } from '../../selectors/label-selector-object.ts'
import { matchesLabels } from '../../../store/objects/selection/matches-selector.ts'
import { type PolicyRule, policyRulesOf } from './policy-rule.ts'
import { CLUSTER_ROLES, clusterRolesOf } from './role-objects.ts'

const RULES = Symbol('rules of cluster roles')

/**
 * The rules of a cluster role; null if the role does not exist. An aggregated role has the rules
 * of the roles that it selects, without those stored in it. They are computed from the current
 * roles, so that a new role takes effect immediately.
 */
export function clusterRoleRules(
  configuration: PlaneConfiguration,
  name: string,
): readonly PolicyRule[] | null {
  const role = clusterRolesOf(configuration).get(name)
  if (!role) return null
  const collected = configuration.derive(RULES, [CLUSTER_ROLES], emptyCollection)
  const cached = collected.rules.get(name)
  if (cached) return cached
  const rules = isAggregated(role.body) ? aggregate(configuration, role, collected) : ownRules(role)
  collected.rules.set(name, rules)
  return rules
}

/**
 * The most values that the selectors of a plane compare after a change of its cluster roles. Then
 * they select no more roles, so that a plane cannot block the server.
 */
const MAX_COMPARISONS = 500_000

/** The rules of the cluster roles that were needed since the last change, and their cost. */
interface Collection {
  readonly rules: Map<string, readonly PolicyRule[]>
  comparisons: number
}

function emptyCollection(): Collection {
  return { rules: new Map(), comparisons: 0 }
}

/** Collects the rules of all roles that an aggregated role reaches. Each role counts once. */
function aggregate(
  configuration: PlaneConfiguration,
  start: StoredObject,
  collected: Collection,
): readonly PolicyRule[] {
  const labelled = labelledRoles(configuration)
  const reached = new Set([start])
  const rules = new Set<PolicyRule>()
  for (const role of reached) {
    if (!isAggregated(role.body)) {
      for (const rule of ownRules(role)) rules.add(rule)
      continue
    }
    for (const selector of selectorsOf(role.body)) {
      collected.comparisons += sizeOfSelector(selector) * labelled.length
      if (collected.comparisons > MAX_COMPARISONS) break
      for (const { role: other, labels } of labelled) {
        if (matchesLabels(selector, labels)) reached.add(other)
      }
    }
  }
  return [...rules]
}

function sizeOfSelector(selector: readonly LabelRequirement[]): number {
  const sizes = selector.map((requirement) =>
    'values' in requirement ? requirement.values.length : 1,
  )
  return sizes.reduce((sum, size) => sum + size, 1)
}

const LABELLED = Symbol('cluster roles with labels')

/** The cluster roles with their labels. */
function labelledRoles(configuration: PlaneConfiguration) {
  return configuration.derive(LABELLED, [CLUSTER_ROLES], (current) =>
    [...clusterRolesOf(current).values()].map((role) => ({ role, labels: labelsOf(role.body) })),
  )
}

function ownRules({ body }: StoredObject): readonly PolicyRule[] {
  return policyRulesOf(body['rules'])
}

function isAggregated({ aggregationRule }: JsonObject): boolean {
  return isJsonObject(aggregationRule)
}

/** The selectors of an aggregated role, each as it is needed. */
function* selectorsOf({ aggregationRule }: JsonObject): Generator<readonly LabelRequirement[]> {
  if (!isJsonObject(aggregationRule)) return
  const { clusterRoleSelectors } = aggregationRule
  const selectors: readonly JsonValue[] = Array.isArray(clusterRoleSelectors)
    ? clusterRoleSelectors
    : []
  for (const selector of selectors) if (isJsonObject(selector)) yield* requirementsOf(selector)
}

/** Validation rejects malformed selectors. One that is stored nevertheless selects nothing. */
function requirementsOf(selector: JsonObject): readonly (readonly LabelRequirement[])[] {
  try {
    return [labelSelectorRequirements(selector)]
  } catch (error) {
    if (error instanceof KubeError) return []
    throw error
  }
}

function labelsOf({ metadata }: JsonObject): Readonly<Record<string, string>> {
  if (!isJsonObject(metadata)) return {}
  const { labels } = metadata
  if (!isJsonObject(labels)) return {}
  const entries = Object.entries(labels)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

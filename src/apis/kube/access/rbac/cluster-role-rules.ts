import type { PlaneConfiguration } from '../../../../core/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../../../core/objects/model/stored-object.ts'
import type { LabelRequirement } from '../../../../core/objects/model/object-query.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import { KubeError } from '../../errors/kube-error.ts'
import { labelSelectorRequirements } from '../../selectors/label-selector-object.ts'
import { matchesLabels } from '../../../../core/objects/selection/matches-selector.ts'
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
  const cache = configuration.derive(
    RULES,
    [CLUSTER_ROLES],
    () => new Map<string, readonly PolicyRule[]>(),
  )
  const cached = cache.get(name)
  if (cached) return cached
  const rules = selectorsOf(role.body) ? aggregate(configuration, role) : ownRules(role)
  cache.set(name, rules)
  return rules
}

/** Collects the rules of all roles that an aggregated role reaches. Each role counts once. */
function aggregate(configuration: PlaneConfiguration, start: StoredObject): readonly PolicyRule[] {
  const roles = [...clusterRolesOf(configuration).values()]
  const reached = new Set([start])
  const rules = new Set<PolicyRule>()
  for (const role of reached) {
    const selectors = selectorsOf(role.body)
    if (!selectors) {
      for (const rule of ownRules(role)) rules.add(rule)
      continue
    }
    for (const other of roles) {
      const labels = labelsOf(other.body)
      if (selectors.some((selector) => matchesLabels(selector, labels))) reached.add(other)
    }
  }
  return [...rules]
}

function ownRules({ body }: StoredObject): readonly PolicyRule[] {
  return policyRulesOf(body['rules'])
}

/** The selectors of an aggregated role; null if the role is not aggregated. */
function selectorsOf({
  aggregationRule,
}: JsonObject): readonly (readonly LabelRequirement[])[] | null {
  if (!isJsonObject(aggregationRule)) return null
  const { clusterRoleSelectors } = aggregationRule
  const selectors: readonly JsonValue[] = Array.isArray(clusterRoleSelectors)
    ? clusterRoleSelectors
    : []
  return selectors.flatMap((selector) => (isJsonObject(selector) ? requirementsOf(selector) : []))
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

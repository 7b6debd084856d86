import { type PolicyRule, sizeOfRules } from '../rbac/policy-rule.ts'

/** The most comparisons of one check, so that long lists in a role cannot block the server. */
const MAX_COMPARISONS = 2_000_000

const ALL = '*'

/** A rule with sets, for fast comparisons. */
interface OwnedRule {
  readonly verbs: ReadonlySet<string>
  readonly apiGroups: ReadonlySet<string>
  readonly resources: ReadonlySet<string>
  readonly resourceNames: ReadonlySet<string>
  readonly nonResourceURLs: readonly string[]
}

/**
 * The parts of rules that no rule of their grantor covers, each with one verb and one resource or
 * path. Null if the rules have too many parts to compare.
 */
export function uncoveredRules(
  owned: readonly PolicyRule[],
  granted: readonly PolicyRule[],
): readonly PolicyRule[] | null {
  if (sizeOfRules(granted) * Math.max(owned.length, 1) > MAX_COMPARISONS) return null
  const owners = owned.map(ownedRule)
  const rest = granted.filter((rule) => !owners.some((owner) => covers(owner, rule)))
  const count = rest.reduce((sum, rule) => sum + countOfParts(rule), 0)
  if (count * Math.max(owners.length, 1) > MAX_COMPARISONS) return null
  const uncovered: PolicyRule[] = []
  for (const rule of rest) {
    for (const part of partsOf(rule)) {
      if (!owners.some((owner) => covers(owner, part))) uncovered.push(part)
    }
  }
  return uncovered
}

function ownedRule(rule: PolicyRule): OwnedRule {
  return {
    verbs: new Set(rule.verbs),
    apiGroups: new Set(rule.apiGroups),
    resources: new Set(rule.resources),
    resourceNames: new Set(rule.resourceNames),
    nonResourceURLs: rule.nonResourceURLs,
  }
}

/** Whether one rule alone covers another. */
function covers(owner: OwnedRule, rule: PolicyRule): boolean {
  return (
    hasAll(owner.verbs, rule.verbs) &&
    hasAll(owner.apiGroups, rule.apiGroups) &&
    rule.resources.every((resource) => coversResource(owner.resources, resource)) &&
    coversNames(owner.resourceNames, rule.resourceNames) &&
    rule.nonResourceURLs.every((url) => coversUrl(owner.nonResourceURLs, url))
  )
}

function hasAll(owned: ReadonlySet<string>, values: readonly string[]): boolean {
  return owned.has(ALL) || values.every((value) => owned.has(value))
}

function coversResource(owned: ReadonlySet<string>, resource: string): boolean {
  if (owned.has(ALL) || owned.has(resource)) return true
  const slash = resource.indexOf('/')
  return slash !== -1 && owned.has(`*${resource.slice(slash)}`)
}

function coversNames(owned: ReadonlySet<string>, names: readonly string[]): boolean {
  if (owned.size === 0) return true
  return names.length > 0 && names.every((name) => owned.has(name))
}

function coversUrl(owned: readonly string[], url: string): boolean {
  return owned.some(
    (pattern) =>
      pattern === ALL ||
      pattern === url ||
      (pattern.endsWith(ALL) && url.startsWith(pattern.slice(0, -1))),
  )
}

function countOfParts(rule: PolicyRule): number {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
  const names = Math.max(resourceNames.length, 1)
  return verbs.length * (apiGroups.length * resources.length * names + nonResourceURLs.length)
}

function* partsOf(rule: PolicyRule): Generator<PolicyRule> {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name])
  for (const verb of verbs) {
    for (const group of apiGroups) {
      for (const resource of resources) {
        for (const name of names) yield resourcePart({ verb, group, resource, names: name })
      }
    }
    for (const url of nonResourceURLs) {
      yield {
        verbs: [verb],
        apiGroups: [],
        resources: [],
        resourceNames: [],
        nonResourceURLs: [url],
      }
    }
  }
}

interface Part {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly names: readonly string[]
}

function resourcePart({ verb, group, resource, names }: Part): PolicyRule {
  return {
    verbs: [verb],
    apiGroups: [group],
    resources: [resource],
    resourceNames: names,
    nonResourceURLs: [],
  }
}

import type { PolicyRule } from '../rbac/policy-rule.ts'

/** The most rules in a message. */
const MAX_SHOWN = 50

/** Describes rules as Kubernetes does: one line for each resource or path, in sorted order. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const verbs = new Map<string, Set<string>>()
  for (const rule of rules) {
    const target = describeTarget(rule)
    const listed = verbs.get(target) ?? new Set()
    verbs.set(target, listed)
    for (const verb of rule.verbs) listed.add(verb)
  }
  const lines = [...verbs].map(([target, list]) => `{${target}, Verbs:${quoted([...list])}}`)
  const shown = lines.sort().slice(0, MAX_SHOWN)
  const hidden = lines.length - shown.length
  return [...shown, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('\n')
}

function describeTarget(rule: PolicyRule): string {
  const lists = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['ResourceNames', rule.resourceNames],
    ['NonResourceURLs', rule.nonResourceURLs],
  ] as const
  return lists
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name}:${quoted(list)}`)
    .join(', ')
}

/** A list of quoted texts, such as `["a" "b"]`. */
export function quoted(list: readonly string[]): string {
  return `[${list.map((text) => JSON.stringify(text)).join(' ')}]`
}

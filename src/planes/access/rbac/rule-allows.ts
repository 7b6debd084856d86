import type { AccessAttributes } from '../../model/access.ts'
import type { PolicyRule } from './policy-rule.ts'

const ALL = '*'

/** The parts of an operation that rules match. */
export type RuleSubject = Pick<AccessAttributes, 'verb' | 'resource' | 'path'>

/** Whether a rule allows an operation. The namespace is a matter of the binding. */
export function ruleAllows(rule: PolicyRule, { verb, resource, path }: RuleSubject): boolean {
  if (!includes(rule.verbs, verb)) return false
  if (resource === null) return rule.nonResourceURLs.some((url) => urlMatches(url, path))
  const { group, plural, subresource, name } = resource
  return (
    includes(rule.apiGroups, group) &&
    rule.resources.some((listed) => resourceMatches(listed, plural, subresource)) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name))
  )
}

function includes(list: readonly string[], value: string): boolean {
  return list.includes(ALL) || list.includes(value)
}

/** `*` covers everything; after a star and a slash, a subresource covers that of all resources. */
function resourceMatches(listed: string, plural: string, subresource: string): boolean {
  if (listed === ALL) return true
  if (subresource === '') return listed === plural
  return listed === `*/${subresource}` || listed === `${plural}/${subresource}`
}

/** Whether a path matches a URL of a rule, which may end in `*`. */
export function urlMatches(url: string, path: string): boolean {
  if (url === ALL || url === path) return true
  return url.endsWith(ALL) && path.startsWith(url.slice(0, -1))
}

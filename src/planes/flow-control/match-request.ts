import type { JsonObject } from '../../lib/json/json.ts'
import { objectOf, objectsOf, textOf, textsOf } from '../../lib/json/json-fields.ts'
import { urlMatches } from '../access/rbac/rule-allows.ts'
import { ALL_SERVICE_ACCOUNTS, serviceAccountUser } from '../access/rbac/service-account-name.ts'
import type { CallerNames } from './caller-names.ts'

const ALL = '*'

/** The parts of a request that rules match. */
export interface MatchedRequest {
  readonly names: CallerNames
  /** Empty if the method has none. */
  readonly verb: string
  /** Null for a request on something other than a resource of a plane. */
  readonly resource: {
    readonly group: string
    /** The plural, with a slash and the subresource if there is one. */
    readonly name: string
    /** Empty for cluster-scoped resources and for all namespaces. */
    readonly namespace: string
  } | null
  readonly path: string
}

type Matches = (request: MatchedRequest) => boolean

/** A rule without its subjects. */
interface Rule {
  /** The position of its list. */
  readonly rank: number
  readonly matches: Matches
}

type Rules = Map<string, Rule[]>

/**
 * Indexes lists of rules by their subjects. Returns the position of the first list with a rule that
 * matches a request; null if none does. A request costs a look-up for its user and each of its
 * groups, and is compared with the rules that name one of them.
 */
export function indexRules(
  lists: readonly (readonly JsonObject[])[],
): (request: MatchedRequest) => number | null {
  const users: Rules = new Map()
  const groups: Rules = new Map()
  for (const [rank, rules] of lists.entries()) {
    for (const rule of rules) {
      const compiled = { rank, matches: compileRule(rule) }
      const named = subjectsOf(objectsOf(rule['subjects']))
      for (const user of named.users) add(users, user, compiled)
      for (const group of named.groups) add(groups, group, compiled)
    }
  }
  return (request) => {
    const { user, groups: own } = request.names
    const userNames = user === ALL ? [ALL] : [user, ALL]
    const groupNames = own.length === 0 ? [] : [...own, ALL]
    const candidates = [
      ...userNames.map((name) => users.get(name) ?? []),
      ...groupNames.map((name) => groups.get(name) ?? []),
    ]
    const first = candidates.reduce((best, rules) => firstMatch(rules, request, best), Infinity)
    return first === Infinity ? null : first
  }
}

/** The rank of the first rule that matches, if it is below `best`. Rules are in order of their ranks. */
function firstMatch(rules: readonly Rule[], request: MatchedRequest, best: number): number {
  for (const { rank, matches } of rules) {
    if (rank >= best) return best
    if (matches(request)) return rank
  }
  return best
}

function add(index: Rules, name: string, rule: Rule): void {
  const rules = index.get(name)
  if (rules) rules.push(rule)
  else index.set(name, [rule])
}

function compileRule(rule: JsonObject): Matches {
  const matchesResource = anyOf(objectsOf(rule['resourceRules']).map(compileResourceRule))
  const matchesPath = anyOf(objectsOf(rule['nonResourceRules']).map(compileNonResourceRule))
  return (request) => (request.resource === null ? matchesPath(request) : matchesResource(request))
}

function anyOf(all: readonly Matches[]): Matches {
  const [only] = all
  if (all.length === 1 && only !== undefined) return only
  return (request) => all.some((matches) => matches(request))
}

/** The names of subjects, each once. */
function subjectsOf(subjects: readonly JsonObject[]): Record<'users' | 'groups', Set<string>> {
  const users = new Set<string>()
  const groups = new Set<string>()
  for (const subject of subjects) {
    const { namespace, name } = objectOf(subject['serviceAccount'])
    if (subject['kind'] === 'User') users.add(textOf(objectOf(subject['user'])['name']))
    else if (subject['kind'] === 'Group') groups.add(textOf(objectOf(subject['group'])['name']))
    else if (name === ALL) groups.add(`${ALL_SERVICE_ACCOUNTS}:${textOf(namespace)}`)
    else users.add(serviceAccountUser(textOf(namespace), textOf(name)))
  }
  return { users, groups }
}

function compileResourceRule(rule: JsonObject): Matches {
  const hasVerb = memberOf(textsOf(rule['verbs']))
  const hasGroup = memberOf(textsOf(rule['apiGroups']))
  const hasResource = memberOf(textsOf(rule['resources']))
  const hasNamespace = memberOf(textsOf(rule['namespaces']))
  const isClusterScoped = rule['clusterScope'] === true
  return ({ verb, resource }) =>
    resource !== null &&
    // Distinguishes the rules of a caller best.
    hasResource(resource.name) &&
    hasVerb(verb) &&
    hasGroup(resource.group) &&
    (resource.namespace === '' ? isClusterScoped : hasNamespace(resource.namespace))
}

function compileNonResourceRule(rule: JsonObject): Matches {
  const hasVerb = memberOf(textsOf(rule['verbs']))
  const urls = textsOf(rule['nonResourceURLs'])
  return ({ verb, path }) => hasVerb(verb) && urls.some((url) => urlMatches(url, path))
}

function memberOf(list: readonly string[]): (value: string) => boolean {
  const members = new Set(list)
  if (members.has(ALL)) return () => true
  const [only] = members
  return members.size === 1 ? (value) => value === only : (value) => members.has(value)
}

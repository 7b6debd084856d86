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

/** Compiles the rules of a flow schema, of which one must match. */
export function compileRules(rules: readonly JsonObject[]): Matches {
  return anyOf(rules.map(compileRule))
}

function compileRule(rule: JsonObject): Matches {
  const matchesSubject = compileSubjects(objectsOf(rule['subjects']))
  const matchesResource = anyOf(objectsOf(rule['resourceRules']).map(compileResourceRule))
  const matchesPath = anyOf(objectsOf(rule['nonResourceRules']).map(compileNonResourceRule))
  return (request) =>
    (request.resource === null ? matchesPath(request) : matchesResource(request)) &&
    matchesSubject(request)
}

function anyOf(all: readonly Matches[]): Matches {
  return (request) => all.some((matches) => matches(request))
}

/** All subjects as two sets, because a rule can have many of them. */
function compileSubjects(subjects: readonly JsonObject[]): Matches {
  const users: string[] = []
  const groups: string[] = []
  for (const subject of subjects) {
    const { namespace, name } = objectOf(subject['serviceAccount'])
    if (subject['kind'] === 'User') users.push(textOf(objectOf(subject['user'])['name']))
    else if (subject['kind'] === 'Group') groups.push(textOf(objectOf(subject['group'])['name']))
    else if (name === ALL) groups.push(`${ALL_SERVICE_ACCOUNTS}:${textOf(namespace)}`)
    else users.push(serviceAccountUser(textOf(namespace), textOf(name)))
  }
  const hasUser = memberOf(users)
  const hasGroup = memberOf(groups)
  return ({ names }) => hasUser(names.user) || names.groups.some(hasGroup)
}

function compileResourceRule(rule: JsonObject): Matches {
  const hasVerb = memberOf(textsOf(rule['verbs']))
  const hasGroup = memberOf(textsOf(rule['apiGroups']))
  const hasResource = memberOf(textsOf(rule['resources']))
  const hasNamespace = memberOf(textsOf(rule['namespaces']))
  const isClusterScoped = rule['clusterScope'] === true
  return ({ verb, resource }) =>
    resource !== null &&
    hasVerb(verb) &&
    hasGroup(resource.group) &&
    hasResource(resource.name) &&
    (resource.namespace === '' ? isClusterScoped : hasNamespace(resource.namespace))
}

function compileNonResourceRule(rule: JsonObject): Matches {
  const hasVerb = memberOf(textsOf(rule['verbs']))
  const urls = textsOf(rule['nonResourceURLs'])
  return ({ verb, path }) => hasVerb(verb) && urls.some((url) => urlMatches(url, path))
}

function memberOf(list: readonly string[]): (value: string) => boolean {
  const members = new Set(list)
  return members.has(ALL) ? () => true : (value) => members.has(value)
}

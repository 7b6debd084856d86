import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import { isNamespaceRequest } from './admission-subject.ts'
import { textsOf } from '../../../lib/json/json-fields.ts'

/** A rule of a webhook or policy: which operations on which resources it is for. */
export interface ResourceRule {
  readonly operations: readonly string[]
  readonly groups: readonly string[]
  readonly versions: readonly string[]
  /** Such as `pods`, `pods/status`, `*`, `*` with a subresource. */
  readonly resources: readonly string[]
  readonly scope: 'Cluster' | 'Namespaced' | '*'
  /** Empty for all names. */
  readonly names: readonly string[]
}

/** Parses a list of rules. Validation has checked their form. */
export function parseRules(rules: JsonValue | undefined): readonly ResourceRule[] {
  return Array.isArray(rules) ? rules.filter((rule) => isJsonObject(rule)).map(parseRule) : []
}

function parseRule(rule: JsonObject): ResourceRule {
  const { scope } = rule
  return {
    operations: textsOf(rule['operations']),
    groups: textsOf(rule['apiGroups']),
    versions: textsOf(rule['apiVersions']),
    resources: textsOf(rule['resources']),
    scope: scope === 'Cluster' || scope === 'Namespaced' ? scope : '*',
    names: textsOf(rule['resourceNames']),
  }
}

/** The version in which a rule matches a request; null if none does. */
export function matchingVersion(
  rules: readonly ResourceRule[],
  request: AdmissionRequest,
  matchPolicy: 'Exact' | 'Equivalent',
): string | null {
  const candidates = rules.filter((rule) => matchesExceptVersion(rule, request))
  if (candidates.length === 0) return null
  const accepts = (version: string): boolean =>
    candidates.some(({ versions }) => includes(versions, version))
  if (accepts(request.version)) return request.version
  if (matchPolicy === 'Exact') return null
  const other = request.type.versions.find(({ name, served }) => served && accepts(name))
  return other?.name ?? null
}

function matchesExceptVersion(rule: ResourceRule, request: AdmissionRequest): boolean {
  return (
    matchesScope(rule, request) &&
    includes(rule.operations, request.operation) &&
    includes(rule.groups, request.type.group) &&
    (rule.names.length === 0 || rule.names.includes(request.name)) &&
    rule.resources.some((resource) => matchesResource(resource, request))
  )
}

function matchesScope({ scope }: ResourceRule, request: AdmissionRequest): boolean {
  if (scope === '*') return true
  const isClusterScoped = isNamespaceRequest(request) || request.namespace === ''
  return isClusterScoped === (scope === 'Cluster')
}

function matchesResource(rule: string, { type, subresource }: AdmissionRequest): boolean {
  const slash = rule.indexOf('/')
  const plural = slash === -1 ? rule : rule.slice(0, slash)
  const part = slash === -1 ? '' : rule.slice(slash + 1)
  return (plural === '*' || plural === type.plural) && (part === '*' || part === subresource)
}

function includes(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value)
}

import { isJsonObject, type JsonValue } from '../lib/json/json.ts'
import type { AuditedOperation } from '../http/requests/audited-operation.ts'
import { AUDIT_LEVELS, type AuditLevel } from './audit-event.ts'

/** A rule of the policy: a request matches if all lists that the rule has contain its value. */
export interface AuditRule {
  readonly level: AuditLevel
  /** `''` is the user of a request whose authentication failed. */
  readonly users?: readonly string[]
  readonly groups?: readonly string[]
  readonly verbs?: readonly string[]
  /** `clusters`, `clusters/statuses`, `deployments.apps`; also `*` and `*` + `/statuses`. */
  readonly resources?: readonly string[]
  readonly planes?: readonly string[]
}

/** The first rule that matches decides. A request without a matching rule is not recorded. */
export type AuditPolicy = readonly AuditRule[]

/**
 * Writes are recorded with their metadata, and so are rejected requests without a resource. Reads and
 * the reports of adapters are not: they are the bulk of the requests and change no declared state.
 */
export const DEFAULT_AUDIT_POLICY: AuditPolicy = [
  { level: 'None', verbs: ['get', 'list', 'watch', 'report', 'head', 'options'] },
  { level: 'None', resources: ['*/statuses'] },
  { level: 'Metadata' },
]

/**
 * Resources with secrets in their bodies. Fleets and scenarios contain manifests, and a page of the
 * audit log contains the bodies of other requests, which fewer callers may read.
 */
const SECRET_RESOURCES: ReadonlySet<string> = new Set([
  'audit',
  'secrets',
  'fleets.kplane.dev',
  'scenarios.kplane.dev',
  'tokenreviews.authentication.k8s.io',
  'webhooks',
])

/** Whether the bodies and the error of a request can contain secrets, which are never recorded. */
export function hasSecrets(operation: AuditedOperation): boolean {
  const name = fullName(operation)
  const isToken = name === 'serviceaccounts' && operation.subresource === 'token'
  // The snapshot of a cluster contains the objects of its plane.
  const isSnapshot = operation.plane === '' && operation.subresource === 'snapshot'
  return isToken || isSnapshot || SECRET_RESOURCES.has(name)
}

/**
 * The level of a request under a policy: at most Metadata for requests with secrets, and for those
 * without a resource, which were rejected early and may contain secrets too.
 */
export function auditLevelOf(policy: AuditPolicy, operation: AuditedOperation): AuditLevel {
  const level = ruleOf(policy, operation)?.level ?? 'None'
  if (level === 'None' || level === 'Metadata') return level
  return operation.resource === '' || hasSecrets(operation) ? 'Metadata' : level
}

/**
 * The level of a request that was denied: at least Metadata, unless the first rule that matches has
 * the level None and lists the users of requests without a valid identity.
 */
export function deniedLevelOf(policy: AuditPolicy, operation: AuditedOperation): AuditLevel {
  const level = auditLevelOf(policy, operation)
  const isAnonymous = operation.user === ''
  const isOmitted = isAnonymous && ruleOf(policy, operation)?.users !== undefined
  return level === 'None' && !isOmitted ? 'Metadata' : level
}

/** The first rule that matches a request. */
function ruleOf(policy: AuditPolicy, operation: AuditedOperation): AuditRule | undefined {
  const names = resourceNames(operation)
  return policy.find((rule) => matches(rule, operation, names))
}

/** Whether a policy records bodies of any request. */
export function recordsBodies(policy: AuditPolicy): { request: boolean; response: boolean } {
  const response = policy.some(({ level }) => level === 'RequestResponse')
  return { request: response || policy.some(({ level }) => level === 'Request'), response }
}

function matches(
  { users, groups, verbs, resources, planes }: AuditRule,
  operation: AuditedOperation,
  names: readonly string[],
): boolean {
  return (
    (users?.includes(operation.user) ?? true) &&
    (groups?.some((group) => operation.groups.includes(group)) ?? true) &&
    (verbs?.includes(operation.verb) ?? true) &&
    (planes?.includes(operation.plane) ?? true) &&
    (resources?.some((resource) => names.includes(resource)) ?? true)
  )
}

/** The names by which rules can refer to the resource of a request. */
function resourceNames(operation: AuditedOperation): readonly string[] {
  const { resource, subresource } = operation
  if (resource === '') return ['']
  const full = fullName(operation)
  if (subresource === '') return [full, '*']
  return [`${full}/${subresource}`, `*/${subresource}`]
}

function fullName({ group, resource }: AuditedOperation): string {
  return group === '' ? resource : `${resource}.${group}`
}

const LISTS = ['users', 'groups', 'verbs', 'resources', 'planes'] as const

/** Reads a policy from JSON. Throws an error that names the rule and the member. */
export function readAuditPolicy(text: string): AuditPolicy {
  const rules = parse(text)
  if (!Array.isArray(rules)) throw new Error(`expected a JSON array such as ${EXAMPLE}`)
  return rules.map(readRule)
}

const EXAMPLE = '[{"level":"Metadata","verbs":["create","delete"]}]'

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`expected a JSON array such as ${EXAMPLE}`, { cause: error })
  }
}

function readRule(rule: JsonValue, index: number): AuditRule {
  if (!isJsonObject(rule)) throw new Error(`[${index}] is not an object`)
  const level = AUDIT_LEVELS.find((name) => name === rule['level'])
  if (level === undefined) {
    throw new Error(`[${index}].level must be one of ${AUDIT_LEVELS.join(', ')}`)
  }
  const known: readonly string[] = ['level', ...LISTS]
  const unknown = Object.keys(rule).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new Error(`[${index}] has the unknown member '${unknown}': use ${known.join(', ')}`)
  }
  const lists = LISTS.flatMap((name) => {
    const values = rule[name]
    return values === undefined ? [] : [[name, textsOf(values, `[${index}].${name}`)] as const]
  })
  return { level, ...Object.fromEntries(lists) }
}

function textsOf(values: JsonValue, place: string): readonly string[] {
  if (!Array.isArray(values)) throw new Error(`${place} is not an array of strings`)
  return values.map((value: JsonValue) => {
    if (typeof value !== 'string') throw new Error(`${place} is not an array of strings`)
    return value
  })
}

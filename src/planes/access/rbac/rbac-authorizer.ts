import type {
  PlaneConfiguration,
  PlaneConfigurations,
} from '../../../store/objects/model/plane-configuration.ts'
import type { AccessAttributes, AccessDecision, PlaneAuthorizer } from '../../model/access.ts'
import type { UserInfo } from '../../model/user-info.ts'
import { describeDenial } from '../denial.ts'
import { MASTERS } from '../system-groups.ts'
import { type Grant, grantIndexOf } from './grant-index.ts'
import { type PolicyRule, sizeOfRules } from './policy-rule.ts'
import { roleNotFound, type RoleRef, rulesOfRole } from './role-ref.ts'
import { ruleAllows } from './rule-allows.ts'
import { grantsOfUser } from './visit-grants.ts'

/** The rules of a user in a namespace. */
export interface UserRules {
  readonly rules: readonly PolicyRule[]
  /** Messages about bindings whose role does not exist. */
  readonly errors: readonly string[]
}

/** Resolves roles and the rules of users. */
export interface RuleResolver {
  /** Cluster-wide rules only if the namespace is empty. */
  rulesFor(plane: string, user: UserInfo, namespace: string): Promise<UserRules>
  /** Null if the role does not exist. */
  rulesOfRole(
    plane: string,
    role: RoleRef,
    namespace: string,
  ): Promise<readonly PolicyRule[] | null>
}

/** Decides by the roles and bindings of planes. */
export type RbacAuthorizer = PlaneAuthorizer & RuleResolver

interface Options {
  readonly configurations: PlaneConfigurations
  /**
   * Whether a user administers a plane without a binding in it. Called only if the bindings do not
   * allow the operation.
   */
  readonly isAdministrator?: (plane: string, user: UserInfo) => boolean | Promise<boolean>
}

/** Rules for every operation and every path. */
export const ALL_RULES: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
]

/** Creates the authorizer by roles. Members of `system:masters` may do everything. */
export function createRbacAuthorizer({
  configurations,
  isAdministrator = () => false,
}: Options): RbacAuthorizer {
  return {
    authorize: async (attributes) => {
      const { plane, user } = attributes
      if (isMaster(user)) return { allowed: true, reason: '' }
      const decision = decide(await configurations.of(plane), attributes)
      if (decision.allowed || !(await isAdministrator(plane, user))) return decision
      return { allowed: true, reason: 'the user is an administrator of the plane' }
    },
    rulesFor: async (plane, user, namespace) => {
      if (isMaster(user)) return { rules: ALL_RULES, errors: [] }
      const found = collectRules(await configurations.of(plane), user, namespace)
      const isAdmin = await isAdministrator(plane, user)
      return isAdmin ? { ...found, rules: [...ALL_RULES, ...found.rules] } : found
    },
    rulesOfRole: async (plane, role, namespace) =>
      rulesOfRole(await configurations.of(plane), role, namespace),
  }
}

function isMaster(user: UserInfo): boolean {
  return user.groups.includes(MASTERS)
}

/** The most texts of rules that a decision compares. Planes of tenants share the server's time. */
const MAX_COMPARISONS = 500_000

const TOO_MANY = 'the roles of the user have too many rules'

interface Granted {
  readonly grant: Grant
  readonly rules: readonly PolicyRule[]
}

/** The rules of each grant of a user in a namespace. Adds to `problems` why others are missing. */
function* grantedRules(
  configuration: PlaneConfiguration,
  { user, namespace }: { readonly user: UserInfo; readonly namespace: string },
  problems: Set<string>,
): Generator<Granted> {
  let comparisons = 0
  for (const grant of grantsOfUser(grantIndexOf(configuration), user, namespace)) {
    const rules = rulesOfRole(configuration, grant.role, grant.namespace)
    comparisons += rules ? sizeOfRules(rules) : 1
    if (comparisons > MAX_COMPARISONS) {
      problems.add(TOO_MANY)
      return
    }
    if (rules) yield { grant, rules }
    else problems.add(roleNotFound(grant.role))
  }
}

/** Decides by the bindings of the plane. */
function decide(configuration: PlaneConfiguration, attributes: AccessAttributes): AccessDecision {
  const { user, resource } = attributes
  const subject = { user, namespace: resource?.namespace ?? '' }
  const missing = new Set<string>()
  for (const { grant, rules } of grantedRules(configuration, subject, missing)) {
    if (rules.some((rule) => ruleAllows(rule, attributes))) {
      return { allowed: true, reason: `RBAC: allowed by ${describe(grant)}` }
    }
  }
  const denial = describeDenial(attributes)
  return {
    allowed: false,
    reason: missing.size === 0 ? denial : `${denial}: RBAC: ${[...missing].join(', ')}`,
  }
}

function collectRules(
  configuration: PlaneConfiguration,
  user: UserInfo,
  namespace: string,
): UserRules {
  const rules = new Set<PolicyRule>()
  const errors = new Set<string>()
  for (const granted of grantedRules(configuration, { user, namespace }, errors)) {
    for (const rule of granted.rules) rules.add(rule)
  }
  return { rules: [...rules], errors: [...errors] }
}

function describe({ binding, namespace, role, subject }: Grant): string {
  const shown =
    namespace === '' ? `ClusterRoleBinding "${binding}"` : `RoleBinding "${binding}/${namespace}"`
  return `${shown} of ${role.kind} "${role.name}" to ${subject}`
}

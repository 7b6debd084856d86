import { isSameJson } from '../../../lib/json/same-json.ts'
import { isJsonObject } from '../../../lib/json/json.ts'
import { objectForbidden, objectNotFound } from '../../errors/failures.ts'
import type { AccessAttributes } from '../../model/access.ts'
import type { AdmissionPlugin, AdmissionRequest } from '../../model/admission.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { type PolicyRule, policyRulesOf } from '../rbac/policy-rule.ts'
import { ALL_RULES, type RbacAuthorizer } from '../rbac/rbac-authorizer.ts'
import { RBAC_GROUP } from '../rbac/role-objects.ts'
import { roleRefOf } from '../rbac/role-ref.ts'
import { MASTERS } from '../system-groups.ts'
import { describeRules, quoted } from './describe-rules.ts'
import { uncoveredRules } from './uncovered-rules.ts'

/** A write that grants rights. */
type Granting = AdmissionRequest & { readonly object: ApiObject }

/**
 * Rejects roles and bindings that grant rights which their author does not hold. The verb
 * `escalate` on a role and the verb `bind` on the role of a binding permit it.
 */
export function createEscalationPlugin(authorizer: RbacAuthorizer): AdmissionPlugin {
  return {
    validate: async (request) => {
      const { type, object, oldObject, subresource, user } = request
      if (type.group !== RBAC_GROUP || object === null || subresource !== '') return
      if (user.groups.includes(MASTERS)) return
      if (oldObject && changesFinalizersOnly(object, oldObject)) return
      const isRole = type.plural === 'roles' || type.plural === 'clusterroles'
      const granting = { ...request, object }
      await (isRole ? checkRole(authorizer, granting) : checkBinding(authorizer, granting))
    },
  }
}

async function checkRole(authorizer: RbacAuthorizer, request: Granting): Promise<void> {
  const { type, object, name } = request
  if (await mayDo(authorizer, request, { verb: 'escalate', plural: type.plural, name })) return
  const rules = policyRulesOf(object['rules'])
  // An aggregated role can receive any rule, so its author must hold all of them.
  const isAggregated = isJsonObject(object['aggregationRule'])
  await requireHeld(authorizer, request, isAggregated ? [...rules, ...ALL_RULES] : rules)
}

async function checkBinding(authorizer: RbacAuthorizer, request: Granting): Promise<void> {
  const role = roleRefOf(request.object['roleRef'])
  // Validation rejects it.
  if (!role) return
  const plural = role.kind === 'Role' ? 'roles' : 'clusterroles'
  if (await mayDo(authorizer, request, { verb: 'bind', plural, name: role.name })) return
  const rules = await authorizer.rulesOfRole(request.plane, role, request.namespace)
  if (!rules) throw objectNotFound({ group: RBAC_GROUP, plural }, role.name)
  await requireHeld(authorizer, request, rules)
}

async function mayDo(
  authorizer: RbacAuthorizer,
  { plane, user, namespace }: AdmissionRequest,
  { verb, plural, name }: { readonly verb: string; readonly plural: string; readonly name: string },
): Promise<boolean> {
  const attributes: AccessAttributes = {
    plane,
    user,
    verb,
    resource: { group: RBAC_GROUP, version: '*', plural, subresource: '', namespace, name },
    path: '',
  }
  return (await authorizer.authorize(attributes)).allowed
}

/** Throws a 403 that names the rules which the author does not hold. */
async function requireHeld(
  authorizer: RbacAuthorizer,
  { plane, user, namespace, type, name }: Granting,
  granted: readonly PolicyRule[],
): Promise<void> {
  const { rules, errors } = await authorizer.rulesFor(plane, user, namespace)
  const missing = uncoveredRules(rules, granted)
  if (missing?.length === 0) return
  const listed = missing ? describeRules(missing) : 'more rules than the server compares'
  const unresolved = errors.length === 0 ? '' : `; resolution errors: [${errors.join(', ')}]`
  const detail = `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${listed}${unresolved}`
  throw objectForbidden(type, name, detail)
}

/** Such a change, by which the garbage collector removes an object, grants nothing. */
function changesFinalizersOnly(object: ApiObject, old: ApiObject): boolean {
  const { metadata, ...content } = object
  const { metadata: oldMetadata, ...oldContent } = old
  return (
    isSameJson(content, oldContent) &&
    isSameJson(otherMetadata(metadata), otherMetadata(oldMetadata))
  )
}

function otherMetadata(metadata: ApiObject['metadata']): ApiObject['metadata'] {
  const {
    finalizers: _finalizers,
    ownerReferences: _owners,
    managedFields: _managed,
    resourceVersion: _version,
    ...rest
  } = metadata
  return rest
}

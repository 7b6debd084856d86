import type { PlaneConfigurations } from '../../../../core/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../../../core/objects/model/stored-object.ts'
import { isJsonObject } from '../../../../lib/json/json.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import { clusterRoleRules } from '../rbac/cluster-role-rules.ts'
import { policyRuleJson } from '../rbac/policy-rule.ts'

/** Shows the rules that aggregated cluster roles have at the moment. */
export function completeClusterRoles(
  configurations: PlaneConfigurations,
): NonNullable<NativeResource['complete']> {
  return (roles) => Promise.all(roles.map((role) => completed(role, configurations)))
}

async function completed(
  role: StoredObject,
  configurations: PlaneConfigurations,
): Promise<StoredObject> {
  if (!isJsonObject(role.body['aggregationRule'])) return role
  const rules = clusterRoleRules(await configurations.of(role.plane), role.name)
  return rules ? { ...role, body: { ...role.body, rules: rules.map(policyRuleJson) } } : role
}

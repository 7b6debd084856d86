import type { PlaneConfigurations } from '../../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import { isJsonObject } from '../../../lib/json/json.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import { clusterRoleRules } from '../rbac/cluster-role-rules.ts'
import { policyRuleJson, sizeOfRules } from '../rbac/policy-rule.ts'

/** The most texts in the rules that one response adds. Many roles can collect the same large one. */
const MAX_ADDED = 200_000

/**
 * Shows the rules that aggregated cluster roles have at the moment. Roles with too many rules are
 * shown as they are stored.
 */
export function completeClusterRoles(
  configurations: PlaneConfigurations,
): NonNullable<NativeResource['complete']> {
  return async (roles) => {
    const completed: StoredObject[] = []
    let added = 0
    for (const role of roles) {
      const rules = await collectedRules(role, configurations)
      const size = rules ? sizeOfRules(rules) : 0
      const isShown = rules !== null && added + size <= MAX_ADDED
      if (isShown) added += size
      completed.push(
        isShown ? { ...role, body: { ...role.body, rules: rules.map(policyRuleJson) } } : role,
      )
    }
    return completed
  }
}

/** Null for roles that are not aggregated. */
async function collectedRules(role: StoredObject, configurations: PlaneConfigurations) {
  if (!isJsonObject(role.body['aggregationRule'])) return null
  return clusterRoleRules(await configurations.of(role.plane), role.name)
}

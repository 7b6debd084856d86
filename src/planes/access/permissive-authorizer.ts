import type { PlaneConfigurations } from '../../store/objects/model/plane-configuration.ts'
import { ALL_RULES, type RbacAuthorizer } from './rbac/rbac-authorizer.ts'
import { rulesOfRole } from './rbac/role-ref.ts'

/** Allows every operation, for servers without authorization. Roles are stored but not used. */
export function createPermissiveAuthorizer(configurations: PlaneConfigurations): RbacAuthorizer {
  return {
    authorize: () => Promise.resolve({ allowed: true, reason: '' }),
    rulesFor: () => Promise.resolve({ rules: ALL_RULES, errors: [] }),
    rulesOfRole: async (plane, role, namespace) =>
      rulesOfRole(await configurations.of(plane), role, namespace),
  }
}

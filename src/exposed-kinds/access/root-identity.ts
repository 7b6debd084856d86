import { serviceAccountOf } from '../../planes/access/rbac/service-account-name.ts'
import { ROOT_PLANE } from '../../planes/planes/root-plane.ts'
import type { UserInfo } from '../../planes/model/user-info.ts'

/**
 * The identity in the root plane of a user of another plane. Impersonation in a plane has no effect
 * outside of it, and its service accounts are not those of the root plane with the same name.
 */
export function rootIdentity(plane: string, user: UserInfo): UserInfo {
  if (plane === ROOT_PLANE) return user
  const { name, uid, groups, extra } = user.impersonator ?? user
  const account = serviceAccountOf(name)
  if (!account) return { name, uid, groups, extra }
  const qualified = `system:plane:${plane}:serviceaccount:${account.namespace}:${account.name}`
  return { name: qualified, uid, groups: [], extra: {} }
}

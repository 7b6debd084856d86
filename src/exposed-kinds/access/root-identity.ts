import { serviceAccountOf } from '../../planes/access/rbac/service-account-name.ts'
import type { UserInfo } from '../../planes/model/user-info.ts'

interface Planes {
  /** The plane that has authenticated the user. */
  readonly plane: string
  /** The root plane that decides. */
  readonly root: string
}

/**
 * The identity in a root plane of a user of another plane. Impersonation in a plane has no effect
 * outside of it, and its service accounts are not those of the root plane with the same name.
 */
export function rootIdentity({ plane, root }: Planes, user: UserInfo): UserInfo {
  if (plane === root) return user
  const { name, uid, groups, extra } = user.impersonator ?? user
  const account = serviceAccountOf(name)
  if (!account) return { name, uid, groups, extra }
  const qualified = `system:plane:${plane}:serviceaccount:${account.namespace}:${account.name}`
  return { name: qualified, uid, groups: [], extra: {} }
}

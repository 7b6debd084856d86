import type { UserInfo } from '../../model/user-info.ts'
import type { Grant, GrantIndex, Grants } from './grant-index.ts'

/** The grants of a user that apply in a namespace; only cluster-wide ones if it is empty. */
export function* grantsOfUser(
  index: GrantIndex,
  user: Pick<UserInfo, 'name' | 'groups'>,
  namespace: string,
): Generator<Grant> {
  yield* applicable(index.users.get(user.name), namespace)
  for (const group of user.groups) yield* applicable(index.groups.get(group), namespace)
}

function* applicable(grants: Grants | undefined, namespace: string): Generator<Grant> {
  if (!grants) return
  yield* grants.clusterWide.values()
  if (namespace === '') return
  const local = grants.byNamespace.get(namespace)
  if (local) yield* local.values()
}

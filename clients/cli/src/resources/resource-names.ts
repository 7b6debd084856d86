import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import type { Resource } from '../targets/resource.ts'
import { addParentNames } from './parent-names.ts'

/**
 * The arguments that name resources in other commands: `cluster/lisbon`, `nodepool/lisbon/workers`,
 * and with an ID below deeper parents.
 */
export async function resourceNames(
  session: Session,
  target: KindTarget,
  resources: readonly Resource[],
): Promise<readonly string[]> {
  const { singular, parentKind } = target
  if (parentKind === null) return resources.map(({ name }) => `${singular}/${name}`)
  if (parentKind !== 'Cluster') return resources.map(({ id }) => `${singular}/${id}`)
  const names = new Map<string, string>()
  await addParentNames(session, target, { resources, names })
  return resources.map(({ id, name, owner_references: owner }) => {
    const parent = names.get(owner?.id ?? '')
    return parent === undefined ? `${singular}/${id}` : `${singular}/${parent}/${name}`
  })
}

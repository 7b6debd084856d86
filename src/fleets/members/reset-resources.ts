import { isDeepStrictEqual } from 'node:util'
import type { Desired } from '../../store/model/resource-fields.ts'
import type { Resource } from '../../store/model/resource.ts'
import { createResource } from '../../store/operations/write/create-resource.ts'
import { deleteResource } from '../../store/operations/write/delete-resource.ts'
import { patchResource } from '../../store/operations/write/patch-resource.ts'
import type { Tree } from '../../store/resources/trees.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { type Fleet, indexInFleet } from '../model/fleet.ts'
import type { MemberContent } from '../model/member-content.ts'
import { CONTROLLER, type MemberParts } from './creation/member-parts.ts'
import { desiredMember, desiredNodePools } from './creation/plan-member.ts'

interface Template {
  readonly fleet: Fleet
  readonly content: MemberContent
}

const CALLER = { user: CONTROLLER }

/**
 * Returns the cluster of a member and its node pools to the template. Most members have not changed
 * them, so nothing is written. Returns the version of the cluster. Fails with `precondition-failed`
 * if one has changed since the read.
 */
export async function resetResources(
  parts: MemberParts,
  { fleet, content }: Template,
  [root, ...descendants]: Tree,
): Promise<bigint> {
  const { context, kind, nodePoolKind, tenant } = parts
  const { resource } = root
  const { id, name } = resource
  const values = { name, index: indexInFleet(fleet, name) ?? 0 }
  const desired = desiredMember(parts, { fleet: fleet.name, content }, values)
  const version = await resetOne(parts, { kind, current: resource }, desired)
  if (nodePoolKind === null) return version
  const pools = desiredNodePools(parts, content, values)
  const existing = new Map(
    descendants
      .map((pool) => pool.resource)
      .filter((pool) => pool.kind === nodePoolKind.kind && pool.deletedTime === null)
      .map((pool) => [pool.name, pool]),
  )
  for (const pool of pools) {
    const found = existing.get(pool.name)
    existing.delete(pool.name)
    if (found) await resetOne(parts, { kind: nodePoolKind, current: found }, pool)
    else {
      await createResource(context, { ...pool, tenant, ownerId: id, caller: CALLER })
    }
  }
  for (const surplus of existing.values()) {
    const target = { tenant: null, kind: nodePoolKind, id: surplus.id, ownerId: id }
    const precondition = isAt(surplus)
    await deleteResource(context, target, { precondition, caller: CALLER })
  }
  return version
}

/** Returns the new version. Annotations are notes of tools and people: they stay. */
async function resetOne(
  { context }: MemberParts,
  { kind, current }: { readonly kind: RegisteredKind; readonly current: Resource },
  { spec, labels }: Desired,
): Promise<bigint> {
  const isSame =
    isDeepStrictEqual(stored(spec), current.spec) &&
    isDeepStrictEqual(stored(labels), current.labels)
  if (isSame) return current.version
  const target = { tenant: null, kind, id: current.id, ownerId: null }
  const { resource } = await patchResource(context, target, {
    change: ({ annotations, refs }) => ({ spec, labels, annotations, refs }),
    precondition: isAt(current),
    caller: CALLER,
  })
  return resource.version
}

function isAt({ version }: Resource): (resource: Resource) => boolean {
  return (resource) => resource.version === version
}

/** The value as the database returns it. */
function stored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

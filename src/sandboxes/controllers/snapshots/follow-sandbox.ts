import type { PlaneClient } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { sandboxOf } from '../../model/sandbox.ts'
import { SNAPSHOTS } from '../snapshot-claims/snapshot-resources.ts'

/**
 * Makes the sandbox the owner of its snapshot if the policy deletes both together, and removes the
 * owner otherwise. Garbage collection then needs no further decision.
 */
export async function followSandbox(
  client: PlaneClient,
  snapshot: ApiObject,
  sandbox: ApiObject,
): Promise<void> {
  const { ownerReferences = [] } = snapshot.metadata
  const { uid, name, snapshotPolicy } = sandboxOf(sandbox)
  const isOwned = ownerReferences.some((owner) => owner.uid === uid)
  if (isOwned === snapshotPolicy.deleteWithSandbox) return
  const { apiVersion, kind } = sandbox
  const owners = isOwned
    ? ownerReferences.filter((owner) => owner.uid !== uid)
    : [...ownerReferences, { apiVersion, kind, name, uid }]
  const body = {
    metadata: {
      resourceVersion: snapshot.metadata.resourceVersion ?? '',
      ownerReferences: owners.map((owner) => ({ ...owner })),
    },
  }
  const target = {
    namespace: snapshot.metadata.namespace ?? '',
    name: snapshot.metadata.name ?? '',
  }
  await client.patch(SNAPSHOTS, target, { type: 'merge', body })
}

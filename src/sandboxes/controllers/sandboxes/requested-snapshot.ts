import { snapshotOf } from '../../model/snapshot.ts'
import { SNAPSHOTS, snapshotsOf } from '../snapshot-claims/snapshot-resources.ts'
import type { ObservedSandbox } from './model/observed-sandbox.ts'
import { OPERATION_ANNOTATION } from './operations/snapshot-object.ts'
import type { ReconcileParts } from './reconcile-parts.ts'

/** The oldest Snapshot that a client has requested of the sandbox, or null. */
export async function requestedSnapshot(
  { client }: Pick<ReconcileParts, 'client'>,
  { ref }: ObservedSandbox,
): Promise<string | null> {
  const { plane, namespace, name, uid } = ref
  const found: { readonly name: string; readonly time: string }[] = []
  for await (const page of client(plane).pages(SNAPSHOTS, snapshotsOf({ namespace, name }))) {
    for (const object of page.items) {
      const snapshot = snapshotOf(object)
      const isOwn = (snapshot.sandbox.uid ?? uid) === uid
      const isRequest = object.metadata.annotations?.[OPERATION_ANNOTATION] === undefined
      if (!isOwn || !isRequest || snapshot.phase !== null || snapshot.isDeleting) continue
      found.push({ name: snapshot.name, time: snapshot.createdTime })
    }
  }
  const [oldest] = found.toSorted((a, b) => (a.time < b.time ? -1 : 1))
  return oldest?.name ?? null
}

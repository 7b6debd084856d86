import { resourceKey, ROOT_PLANE, storedObject } from 'flotilla/planes'
import type { ObjectStore } from '../../store/objects/object-store.ts'
import { type RuntimeEntry, runtimeEntry } from '../controllers/sandboxes/runtimes/runtime-entry.ts'
import { SANDBOX_RUNTIME_TYPE } from '../types/sandbox-runtime-type.ts'

/** The registered runtimes. */
export async function readRuntimes({
  list,
}: Pick<ObjectStore, 'list'>): Promise<readonly RuntimeEntry[]> {
  const { objects } = await list({
    plane: ROOT_PLANE,
    resource: resourceKey(SANDBOX_RUNTIME_TYPE),
    namespace: '',
    selector: { labels: [], fields: [] },
    limit: null,
    after: null,
  })
  return objects.map((object) => runtimeEntry(storedObject(object)))
}

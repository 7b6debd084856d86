import type { ReportedResource } from '../../../store/model/resource.ts'

/** Maximum number of resources, at a few hundred bytes each. */
const MAX_RESOURCES = 100_000

/** A live resource at a version at which its conditions follow from its stored reports. */
export type SyncedResource = Pick<
  ReportedResource,
  'id' | 'tenant' | 'kind' | 'ownerId' | 'generation' | 'version' | 'requiredAdapters'
>

/**
 * The resources whose conditions follow from their stored reports. Every write that invalidates
 * this changes the version of the resource, so users must compare the version when they write.
 */
export interface SyncedVersions {
  get(id: string): SyncedResource | null
  record(resource: SyncedResource): void
  delete(id: string): void
  clear(): void
}

/** When full, the entry that was recorded first is evicted. */
export function createSyncedVersions(maxResources = MAX_RESOURCES): SyncedVersions {
  const resources = new Map<string, SyncedResource>()
  return {
    get: (id) => resources.get(id) ?? null,
    record: (resource) => {
      const { id, tenant, kind, ownerId, generation, version, requiredAdapters } = resource
      // A copy, which does not keep the conditions in memory.
      resources.set(id, { id, tenant, kind, ownerId, generation, version, requiredAdapters })
      const [first] = resources.keys()
      if (resources.size > maxResources && first !== undefined) resources.delete(first)
    },
    delete: (id) => void resources.delete(id),
    clear: () => resources.clear(),
  }
}

import type { Change, ChangeType } from '../../model/change.ts'

/**
 * Versions that the initial state sent. Reading the state takes time, so its end can be newer than
 * the first changes of the watch: those changes must not be sent again.
 */
export interface SentVersions {
  /** Records a version that the initial state sent. */
  record(key: string, version: bigint): void
  /**
   * The type of a change after the initial state. Null if the state had the change, or if a removed
   * object was not in it.
   */
  typeToSend(change: Change, type: ChangeType): ChangeType | null
}

export function createSentVersions(): SentVersions {
  const versions = new Map<string, bigint>()
  return {
    record: (key, version) => void versions.set(key, version),
    typeToSend: (change, type) => {
      const { key, version } = identityOf(change)
      const known = versions.get(key)
      if (known !== undefined && version <= known) return null
      if (type === 'DELETED') return versions.delete(key) ? type : null
      versions.set(key, version)
      return known === undefined ? 'ADDED' : 'MODIFIED'
    },
  }
}

/** A watch sends either resources or reports, so IDs and adapter names cannot collide. */
function identityOf(change: Change): { readonly key: string; readonly version: bigint } {
  if (change.subject === 'resource') {
    return { key: change.resource.id, version: change.resource.version }
  }
  return { key: change.status.adapter, version: change.rowVersion }
}

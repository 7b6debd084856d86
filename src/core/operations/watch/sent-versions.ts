import type { Change, ChangeType } from '../../model/change.ts'

/**
 * What the state told, of which a watch is told changes that lie before it too: reading the state
 * took time, and what was read last is newer than where the changes begin.
 */
export interface SentVersions {
  /** This has been told with the state. */
  record(key: string, version: bigint): void
  /**
   * What a change is for somebody who was told the state: null where the state had it already, or
   * where what goes was not in it.
   */
  typeToSend(change: Change, type: ChangeType): ChangeType | null
}

/** Nothing has been told. */
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

/** A watch tells resources or the reports on one, never both: ids and adapters do not meet. */
function identityOf(change: Change): { readonly key: string; readonly version: bigint } {
  if (change.subject === 'resource') {
    return { key: change.resource.id, version: change.resource.version }
  }
  return { key: change.status.adapter, version: change.rowVersion }
}

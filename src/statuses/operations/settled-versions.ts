/** Entries of a hundred bytes. */
const MOST = 100_000

/**
 * Versions of resources at which their conditions are known to follow from their reports. Whatever
 * changes one of both so that they no longer agree moves the version.
 */
export interface SettledVersions {
  /** The version that was noted last, null where there is none. */
  of(id: string): bigint | null
  note(id: string, version: bigint): void
  clear(): void
}

/** Keeps so many resources at most; the first noted are forgotten first. */
export function createSettledVersions(most = MOST): SettledVersions {
  const versions = new Map<string, bigint>()
  return {
    of: (id) => versions.get(id) ?? null,
    note: (id, version) => {
      versions.set(id, version)
      const [first] = versions.keys()
      if (versions.size > most && first !== undefined) versions.delete(first)
    },
    clear: () => versions.clear(),
  }
}

import type { ResolveName } from './resolve-names.ts'

/** The addresses of names that policies allow. */
export interface NameCache {
  /** The addresses that are recorded for the names; none for a name that was never resolved. */
  addressesOf(names: readonly string[]): ReadonlyMap<string, readonly string[]>
  /** Resolves the names whose addresses have expired. Returns whether an address has changed. */
  refresh(names: readonly string[]): Promise<boolean>
}

interface Entry {
  readonly addresses: readonly string[]
  readonly expires: number
}

const RETRY_SECONDS = 5

/** A name that cannot be resolved keeps its last addresses. `now` is in milliseconds. */
export function createNameCache(resolve: ResolveName, now: () => number): NameCache {
  const entries = new Map<string, Entry>()

  async function refreshName(name: string): Promise<boolean> {
    const before = entries.get(name)?.addresses ?? []
    const found = await resolve(name)
    const addresses = found === null ? before : found.addresses.toSorted()
    const seconds = found === null ? RETRY_SECONDS : found.ttlSeconds
    entries.set(name, { addresses, expires: now() + seconds * 1000 })
    return addresses.join() !== before.join()
  }

  return {
    addressesOf: (names) =>
      new Map(names.map((name) => [name, entries.get(name)?.addresses ?? []] as const)),
    refresh: async (names) => {
      for (const name of entries.keys()) if (!names.includes(name)) entries.delete(name)
      const due = names.filter((name) => (entries.get(name)?.expires ?? 0) <= now())
      const changes = await Promise.all(due.map(refreshName))
      return changes.includes(true)
    },
  }
}

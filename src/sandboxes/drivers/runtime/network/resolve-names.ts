import { Resolver } from 'node:dns/promises'

/** The addresses of a name and how long they are valid. */
export interface ResolvedName {
  readonly addresses: readonly string[]
  readonly ttlSeconds: number
}

/** Resolves a name; null if it has no address now. */
export type ResolveName = (name: string) => Promise<ResolvedName | null>

const TIMEOUT_MS = 2000
const TRIES = 2
const MIN_TTL = 5
const MAX_TTL = 300

/** Asks the name servers of the machine. */
export function createNameResolver(): ResolveName {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  return async (name) => {
    const rows = await resolver.resolve4(name, { ttl: true }).catch(() => [])
    if (rows.length === 0) return null
    const ttl = Math.min(...rows.map((row) => row.ttl))
    return {
      addresses: rows.map(({ address }) => address),
      ttlSeconds: Math.min(Math.max(ttl, MIN_TTL), MAX_TTL),
    }
  }
}

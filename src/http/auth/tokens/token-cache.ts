import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import type { Principal } from '../../../access/principal.ts'

/** The result of a verified token. */
export interface TokenResult {
  readonly principal: Principal
  /** In milliseconds since 1970, including the leeway. */
  readonly expiresAt: number
  /** Whether the key set that verified the token is still the current one. */
  readonly isCurrent: () => boolean
}

export type Verify = (token: string) => Promise<TokenResult>

interface Options {
  readonly capacity: number
  readonly clock: Clock
}

/**
 * Caches the results of verified tokens until the token expires or its key set changes. Evicts the
 * least recently used. The keys are digests, so that the cache contains no tokens.
 */
export function cacheTokens(verify: Verify, { capacity, clock }: Options): Verify {
  const results = new Map<string, TokenResult>()
  return async (token) => {
    const digest = createHash('sha256').update(token).digest('base64')
    const cached = results.get(digest)
    results.delete(digest)
    if (cached && isValid(cached)) {
      results.set(digest, cached)
      return cached
    }
    const result = await verify(token)
    results.set(digest, result)
    const [oldest] = results.keys()
    if (results.size > capacity && oldest !== undefined) results.delete(oldest)
    return result
  }

  function isValid(result: TokenResult): boolean {
    return result.isCurrent() && clock().getTime() < result.expiresAt
  }
}

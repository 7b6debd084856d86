import { createHash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Principal } from '../../core/auth/principal.ts'

/** A verified token. */
export interface Verdict {
  readonly principal: Principal
  /** In milliseconds since 1970, with the leeway. */
  readonly expiresAt: number
  /** Whether the key set that verified the token is still in force. */
  readonly isCurrent: () => boolean
}

export type Verify = (token: string) => Promise<Verdict>

interface Options {
  readonly capacity: number
  readonly clock: Clock
}

/**
 * Skips the verification of tokens that were verified before, until they expire or their key set
 * changes. The least recently used are forgotten first. Only digests of tokens are kept.
 */
export function rememberTokens(verify: Verify, { capacity, clock }: Options): Verify {
  const verdicts = new Map<string, Verdict>()
  return async (token) => {
    const digest = createHash('sha256').update(token).digest('base64')
    const remembered = verdicts.get(digest)
    verdicts.delete(digest)
    if (remembered && isInForce(remembered)) {
      verdicts.set(digest, remembered)
      return remembered
    }
    const verdict = await verify(token)
    verdicts.set(digest, verdict)
    const [oldest] = verdicts.keys()
    if (verdicts.size > capacity && oldest !== undefined) verdicts.delete(oldest)
    return verdict
  }

  function isInForce(verdict: Verdict): boolean {
    return verdict.isCurrent() && clock().getTime() < verdict.expiresAt
  }
}

import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import type { KeySet } from './key-set.ts'
import type { VerifiedToken } from './verify-token.ts'

/** A verified token, and the key set that it was verified against. */
export interface Verdict extends VerifiedToken {
  readonly keySet: KeySet
}

export type Verify = (token: string) => Promise<Verdict>

interface Options {
  readonly capacity: number
  readonly clock: Clock
  /** A verdict counts only while the key set that it rests on is in force. */
  readonly keySet: () => KeySet | null
}

/**
 * Spares the verification of tokens that were found good and have not expired since. The least
 * recently used are forgotten first; tokens themselves are not kept, only their digests.
 */
export function rememberTokens(verify: Verify, { capacity, clock, keySet }: Options): Verify {
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
    return verdict.keySet === keySet() && clock().getTime() < verdict.expiresAt
  }
}

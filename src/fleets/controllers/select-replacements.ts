import type { Comparison } from '../members/fleet-members.ts'
import type { UpdateStrategy } from './observed-fleet.ts'

type Replaceable = Pick<Comparison, 'wanted' | 'counts' | 'outdated'>

/** IDs of the outdated members that the strategy replaces now. */
export function selectReplacements(
  strategy: UpdateStrategy,
  { wanted, counts, outdated }: Replaceable,
): readonly string[] {
  switch (strategy.type) {
    case 'OnReplenish':
      return []
    case 'Recreate':
      return outdated.map(({ id }) => id)
    case 'RollingUpdate': {
      const budget = maxUnavailable(strategy.maxUnavailable, wanted) - (wanted - counts.ready)
      // Replacing a member that is not ready makes no further member unavailable.
      const broken = outdated.filter(({ available }) => !available)
      const working = outdated.filter(({ available }) => available).slice(0, Math.max(0, budget))
      return [...broken, ...working].map(({ id }) => id)
    }
  }
}

/** At least 1, because an update without an unavailable member would never begin. */
function maxUnavailable(limit: number | string, wanted: number): number {
  const share = typeof limit === 'string' && limit.endsWith('%')
  const number = Math.floor(share ? (wanted * Number.parseInt(limit, 10)) / 100 : Number(limit))
  return Math.max(1, Number.isFinite(number) ? number : 1)
}

import type { OfferedWall } from './wall.ts'

/** Why a runtime starts no sandboxes, with the ways on; empty if it offers a class. */
export function startProblemOf(walls: readonly Pick<OfferedWall, 'name' | 'reason'>[]): string {
  if (walls.some(({ reason }) => reason === '')) return ''
  const reasons = walls.map(({ name, reason }) => `${name}: ${reason}`).join('; ')
  return (
    `this machine offers no isolation for sandboxes (${reasons}). Install bubblewrap, or start ` +
    'them without a wall with SANDBOX_UNISOLATED=true'
  )
}

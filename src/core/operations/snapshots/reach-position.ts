import { FlotillaError } from '../../../lib/errors.ts'
import { within } from '../../../lib/within.ts'
import type { Token } from '../../feed/token.ts'
import type { Context } from '../context.ts'

/** How new the view must be: as new as a token, or as everything that has been committed by now. */
export type LeastPosition = Token | 'latest'

const PATIENCE_MS = 3000

/**
 * Waits until the view has reached a position, and with it what this process itself has written.
 * CNF-004 where the token is of another log, SVC-002 where it takes too long.
 */
export async function reachPosition(
  context: Pick<Context, 'feed'>,
  least: LeastPosition,
): Promise<void> {
  if (await within(reach(context, least), PATIENCE_MS)) return
  const seconds = PATIENCE_MS / 1000
  const detail = `This server has not reached minResourceVersion within ${seconds} s: try again`
  throw new FlotillaError('SVC-002', detail)
}

async function reach({ feed }: Pick<Context, 'feed'>, least: LeastPosition): Promise<boolean> {
  const { hub, sequencer } = feed
  if (least === 'latest') return hub.reached(await sequencer.settle(), PATIENCE_MS)
  await hub.requireEpoch(least)
  const own = await sequencer.settleOwn()
  return hub.reached(own > least.revision ? own : least.revision, PATIENCE_MS)
}

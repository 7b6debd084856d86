import { FlotillaError } from '../../lib/errors.ts'
import { within } from '../../lib/async/within.ts'
import type { Feed } from '../feed/feed.ts'
import type { Token } from '../feed/token.ts'
import type { WriteToken } from '../feed/write-token.ts'
import type { Context } from './context.ts'

/** How new the view must be: as new as a token, as a write, or as everything committed by now. */
export type LeastPosition = Token | WriteToken | 'latest'

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
  const { hub, sequencer, writeTokens } = feed
  if (least === 'latest') return hub.reached(await sequencer.settle(), PATIENCE_MS)
  await hub.requireEpoch(least)
  if ('process' in least) return reachWrite({ hub, sequencer, writeTokens }, least)
  const own = await sequencer.settleOwn()
  return hub.reached(own > least.revision ? own : least.revision, PATIENCE_MS)
}

/** Waits for everything that has been committed by now, unless the write was waited for before. */
async function reachWrite(
  { hub, sequencer, writeTokens }: Pick<Feed, 'hub' | 'sequencer' | 'writeTokens'>,
  write: WriteToken,
): Promise<boolean> {
  if (writeTokens.hasReached(write)) return true
  const newest = writeTokens.newestWith(write)
  const isReached = await hub.reached(await sequencer.settle(), PATIENCE_MS)
  if (isReached) writeTokens.reached(newest)
  return isReached
}

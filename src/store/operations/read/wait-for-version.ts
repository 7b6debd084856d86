import type { Wait } from '../../../lib/async/wait.ts'
import { FlotillaError } from '../../../lib/errors.ts'
import { withTimeout } from '../../../lib/async/with-timeout.ts'
import type { Feed } from '../../feed/feed.ts'
import type { ResourceVersion } from '../../feed/resource-version.ts'
import type { WriteToken } from '../../feed/write-token.ts'
import type { Context } from '../context.ts'

/**
 * The minimum version of the snapshot cache: a resource version, a write, or everything committed
 * now.
 */
export type MinimumVersion = ResourceVersion | WriteToken | 'latest'

const TIMEOUT_MS = 3000

/**
 * Waits until the snapshot cache has this version and all writes of this process. Fails with
 * `expired` if the resource version belongs to another log, and with `timeout` after 3 seconds.
 */
export async function waitForVersion(
  context: Pick<Context, 'feed'>,
  least: MinimumVersion,
  wait: Wait,
): Promise<void> {
  if (await wait(() => withTimeout(reach(context, least), TIMEOUT_MS))) return
  const seconds = TIMEOUT_MS / 1000
  const detail = `This server has not reached minResourceVersion within ${seconds} s: try again`
  throw new FlotillaError('timeout', detail)
}

async function reach({ feed }: Pick<Context, 'feed'>, least: MinimumVersion): Promise<boolean> {
  const { broadcaster, sequencer, writeTokens } = feed
  if (least === 'latest') return broadcaster.waitFor(await sequencer.catchUp(), TIMEOUT_MS)
  await broadcaster.requireEpoch(least)
  if ('process' in least) return reachWrite({ broadcaster, sequencer, writeTokens }, least)
  const own = await sequencer.catchUpOwn()
  return broadcaster.waitFor(own > least.revision ? own : least.revision, TIMEOUT_MS)
}

/** Waits for everything committed so far, unless an earlier request waited for the same write. */
async function reachWrite(
  { broadcaster, sequencer, writeTokens }: Pick<Feed, 'broadcaster' | 'sequencer' | 'writeTokens'>,
  write: WriteToken,
): Promise<boolean> {
  if (writeTokens.reachedRevision(write) !== null) return true
  const newest = writeTokens.newestWith(write)
  const revision = await sequencer.catchUp()
  const isReached = await broadcaster.waitFor(revision, TIMEOUT_MS)
  if (isReached) writeTokens.reached(newest, revision)
  return isReached
}

import { expect } from 'vitest'
import type { Feed } from '../../src/store/feed/feed.ts'

/** Waits until a process has read every committed change from the log. */
export async function catchUp({
  sequencer,
  broadcaster,
}: Pick<Feed, 'sequencer' | 'broadcaster'>): Promise<void> {
  expect(await broadcaster.waitFor(await sequencer.catchUp(), 60_000)).toBe(true)
}

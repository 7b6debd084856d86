import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../session/session.ts'
import { type Removal, removalText } from './removal-text.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1000

interface Watcher {
  readonly signal: AbortSignal
  readonly onGone: (located: Removal) => void
  readonly onProgress: (text: string) => void
}

/**
 * Reads objects until all of them are gone, and removes those from the map. Reports of adapters change
 * what a deletion waits for without an event of the resource, so that a watch would not suffice.
 */
export async function watchRemovals(
  session: Session,
  pending: Map<string, Removal>,
  { signal, onGone, onProgress }: Watcher,
): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    let text: string | null = null
    for (const [path, located] of pending) {
      signal.throwIfAborted()
      const waitsFor = await removalText(session, located)
      if (waitsFor === null) {
        pending.delete(path)
        onGone(located)
      } else {
        text ??= waitsFor
        // The first object shows the progress; the others follow when it is gone.
        if (pending.size > MAX_READ) break
      }
    }
    if (text === null) return
    onProgress(pending.size === 1 ? text : `${pending.size} left; ${text}`)
    await sleep(pauseMs, undefined, { signal })
  }
}

/** Up to this number, every object is read in every round. */
const MAX_READ = 50

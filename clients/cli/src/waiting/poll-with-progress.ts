import { setTimeout as sleep } from 'node:timers/promises'
import { openProgress } from '../output/progress.ts'
import type { Session } from '../session/session.ts'
import { withTimeLimit } from './with-time-limit.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1000

interface Attempt {
  /** Aborts after the time limit. */
  readonly signal: AbortSignal
  readonly showProgress: (text: string) => void
}

/**
 * Calls a function until it returns true, with pauses that grow to a second. Returns false if this
 * takes too long.
 */
export async function pollWithProgress(
  session: Pick<Session, 'err' | 'signal' | 'startTimer'>,
  timeoutMs: number,
  isDone: (attempt: Attempt) => Promise<boolean>,
): Promise<boolean> {
  using progress = openProgress(session.err)
  const outcome = await withTimeLimit(session, timeoutMs, (limited) =>
    poll(() => isDone({ signal: limited, showProgress: progress.update }), limited),
  )
  return !outcome.isExpired
}

async function poll(isDone: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let ms = FIRST_PAUSE_MS; !(await isDone()); ms = Math.min(LONGEST_PAUSE_MS, ms * 1.5)) {
    await sleep(ms, undefined, { signal })
  }
}

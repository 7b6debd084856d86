import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1000

/** Calls a function until it returns true, with pauses that grow to a second. */
export async function poll(isDone: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let ms = FIRST_PAUSE_MS; !(await isDone()); ms = Math.min(LONGEST_PAUSE_MS, ms * 1.5)) {
    await sleep(ms, undefined, { signal })
  }
}

import { pause } from '../lib/async/pause.ts'
import type { Database } from '../store/database/database.ts'
import { mergeMinutes } from './storage/merge-minutes.ts'
import { recordMinute } from './storage/record-minute.ts'

const MINUTE_MS = 60_000

/** Records each minute a little after its end, until disposed. Servers share the records. */
export function recordMinutes(
  database: Database,
  onError: (error: unknown) => void,
): AsyncDisposable {
  const stopped = new AbortController()
  const { signal } = stopped

  async function run(): Promise<void> {
    for (;;) {
      await pause(MINUTE_MS - (Date.now() % MINUTE_MS), signal)
      if (signal.aborted) return
      try {
        await recordMinute(database)
        await mergeMinutes(database)
      } catch (error) {
        if (!signal.aborted) onError(error)
      }
    }
  }

  const ended = run()
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await ended
    },
  }
}

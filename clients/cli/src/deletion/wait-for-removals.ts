import { openProgress } from '../output/progress.ts'
import type { Session } from '../session/session.ts'
import { timedOut } from '../waiting/timed-out.ts'
import { withTimeLimit } from '../waiting/with-time-limit.ts'
import { type Removal, removalText } from './removal-text.ts'
import { watchRemovals } from './watch-removals.ts'

const MAX_EXPLAINED = 5

/** Waits until objects are gone, and shows what each one waits for. */
export async function waitForRemovals(
  session: Session,
  located: readonly Removal[],
  { timeoutMs, hint }: { readonly timeoutMs: number; readonly hint?: string },
): Promise<void> {
  const pending = new Map(located.map((one) => [one.path, one]))
  if (pending.size === 0) return
  using progress = openProgress(session.err)
  const outcome = await withTimeLimit(session, timeoutMs, (signal) =>
    watchRemovals(session, pending, {
      signal,
      onGone: ({ label }) => {
        progress.clear()
        session.out.write(`${label} deleted\n`)
      },
      onProgress: (text) => progress.update(text),
    }),
  )
  if (!outcome.isExpired) return
  progress.clear()
  const texts: string[] = []
  for (const one of [...pending.values()].slice(0, MAX_EXPLAINED)) {
    texts.push((await removalText(session, one)) ?? `${one.label} was deleted in this moment`)
  }
  throw timedOut(
    `${pending.size} of ${located.length} still exist after ${timeoutMs / 1000} s`,
    texts,
    hint,
  )
}

import type { Session } from '../session/session.ts'

/** Calls a function with a signal that aborts after a time, or with the signal of the session. */
export async function withTimeLimit<T>(
  { signal, startTimer }: Pick<Session, 'signal' | 'startTimer'>,
  ms: number,
  use: (limited: AbortSignal) => Promise<T>,
): Promise<{ readonly isExpired: false; readonly result: T } | { readonly isExpired: true }> {
  const limit = new AbortController()
  const stop = startTimer(ms, () => limit.abort(new Error('timed out')))
  try {
    return { isExpired: false, result: await use(AbortSignal.any([signal, limit.signal])) }
  } catch (error) {
    signal.throwIfAborted()
    if (limit.signal.aborted) return { isExpired: true }
    throw error
  } finally {
    stop()
  }
}

/** Calls a function with a signal that aborts after a time, or with another signal. */
export async function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal,
  use: (limited: AbortSignal) => Promise<T>,
): Promise<{ readonly isExpired: false; readonly result: T } | { readonly isExpired: true }> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new Error('timed out')), ms)
  try {
    return { isExpired: false, result: await use(AbortSignal.any([signal, limit.signal])) }
  } catch (error) {
    signal.throwIfAborted()
    if (limit.signal.aborted) return { isExpired: true }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** What the promise resolves with; null where it has not been settled in time. */
export function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

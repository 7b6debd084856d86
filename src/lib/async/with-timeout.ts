/** The result of the promise; null if it is still pending after `timeoutMs`. */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

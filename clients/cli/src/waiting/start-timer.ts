/** Calls a function after some milliseconds. Returns a function that prevents this. */
export function startTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

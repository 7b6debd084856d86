import { useEffect, useState } from 'react'

const DELAY_MS = 150

/** The value after it has stayed the same for a moment. */
export function useDebounced<T>(value: T, delayMs = DELAY_MS): T {
  const [latest, setLatest] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLatest(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return latest
}

import { useCallback, useEffect, useEffectEvent, useRef } from 'react'

/** A function that runs at most once per interval, always after the last call. */
export function useThrottled(action: () => void, milliseconds: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const run = useEffectEvent(action)
  const latest = useRef<(() => void) | null>(null)
  useEffect(() => {
    latest.current = () => {
      timer.current = null
      run()
    }
    return () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    }
  }, [])
  return useCallback(() => {
    timer.current ??= setTimeout(() => latest.current?.(), milliseconds)
  }, [milliseconds])
}

import { useEffect, useState } from 'react'

const HIDDEN_MS = 60_000

/** Whether the tab is visible, or was hidden less than a minute ago. */
export function useShown(): boolean {
  const [shown, setShown] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const update = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') setShown(true)
      else timer = setTimeout(() => setShown(false), HIDDEN_MS)
    }
    document.addEventListener('visibilitychange', update)
    update()
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])
  return shown
}

import { useEffect, useRef } from 'react'
import { watchTurns } from './browser-turns.ts'
import { liveBoard } from './live-board.ts'
import type { LiveSource } from './live-source.ts'
import { runLive } from './run-live.ts'
import { useShown } from './use-shown.ts'

/**
 * Opens the stream of the page that is shown, and closes it with the page. A hidden window closes it
 * too, and resumes after the last event when it is visible again.
 *
 * Visible windows share the connections of the browser: a page should need one stream. Null opens
 * none, such as while the list is loading.
 */
export function useLive<T>(source: LiveSource<T> | null): void {
  const latest = useRef(source)
  const position = useRef<{ key: string; version: string } | null>(null)
  const isShown = useShown()
  const key = source?.key ?? null
  useEffect(() => {
    latest.current = source
  })
  useEffect(() => {
    const current = latest.current
    if (key === null || current === null) return
    if (!isShown) {
      liveBoard.set(key, { state: 'paused' })
      return () => liveBoard.remove(key)
    }
    const controller = new AbortController()
    const resumed = position.current?.key === key ? position.current.version : undefined
    const stable: LiveSource<T> = {
      ...current,
      onBatch: (events) => latest.current?.onBatch(events),
    }
    void runLive(stable, {
      signal: controller.signal,
      version: resumed ?? current.from,
      turns: watchTurns,
      report: (state) => liveBoard.set(key, state),
      onVersion: (version) => {
        position.current = { key, version }
      },
    })
    return () => {
      controller.abort()
      liveBoard.remove(key)
    }
  }, [key, isShown])
}

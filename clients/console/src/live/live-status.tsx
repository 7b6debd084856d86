import { useSyncExternalStore } from 'react'
import { formatAge } from '../design/format-age.ts'
import { useNow } from '../design/hooks/use-now.ts'
import css from './live-status.module.css'
import { liveBoard } from './live-board.ts'
import { type LiveSummary, summarizeLive } from './summarize-live.ts'

const LABELS: Readonly<Record<LiveSummary['state'], string>> = {
  idle: 'No live data on this page',
  connecting: 'Connecting',
  live: 'Live',
  behind: 'Behind',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  paused: 'Paused',
}

/** Shows whether the page is current, and since when it is not. */
export function LiveStatus() {
  const now = useNow()
  const streams = useSyncExternalStore(liveBoard.subscribe, liveBoard.snapshot)
  const summary = summarizeLive(streams, { now, isOnline: navigator.onLine })
  if (summary.state === 'idle') return null
  return (
    <div className={css['status']} data-state={summary.state} role="status">
      <span className={css['mark']} aria-hidden="true" />
      <span title={summary.message ?? undefined}>{LABELS[summary.state]}</span>
      {/* Announcing every second would disturb users of screen readers. */}
      {summary.since !== null && <span aria-hidden="true">{formatAge(now - summary.since)}</span>}
    </div>
  )
}

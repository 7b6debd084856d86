import { describe, expect, it } from 'vitest'
import { summarizeLive } from './summarize-live.ts'

const ONLINE = { now: 100_000, isOnline: true }

describe('the state of the page', () => {
  it('is idle without a stream', () => {
    expect(summarizeLive([], ONLINE).state).toBe('idle')
  })

  it('is live if every stream was heard within two heartbeats', () => {
    const streams = [
      { state: 'live', heard: 99_000 } as const,
      { state: 'live', heard: 80_000 } as const,
    ]
    expect(summarizeLive(streams, ONLINE).state).toBe('live')
  })

  it('is behind since the last heartbeat of a silent stream', () => {
    const streams = [{ state: 'live', heard: 60_000 } as const]
    expect(summarizeLive(streams, ONLINE)).toMatchObject({ state: 'behind', since: 60_000 })
  })

  it('shows the worst of several streams', () => {
    const streams = [
      { state: 'live', heard: 99_000 } as const,
      { state: 'reconnecting', since: 90_000 } as const,
    ]
    expect(summarizeLive(streams, ONLINE)).toMatchObject({ state: 'reconnecting', since: 90_000 })
  })

  it('is offline if the device is, since the connection was lost', () => {
    const streams = [{ state: 'reconnecting', since: 90_000 } as const]
    const summary = summarizeLive(streams, { now: 100_000, isOnline: false })
    expect(summary).toMatchObject({ state: 'offline', since: 90_000 })
  })
})

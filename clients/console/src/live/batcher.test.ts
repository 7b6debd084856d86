import { describe, expect, it } from 'vitest'
import { Batcher } from './batcher.ts'

function manualTimer() {
  let now = 0
  let due: { at: number; run: () => void } | null = null
  return {
    timer: {
      now: () => now,
      after: (milliseconds: number, run: () => void) => {
        due = { at: now + milliseconds, run }
        return () => {
          due = null
        }
      },
    },
    advance: (milliseconds: number) => {
      now += milliseconds
      if (due === null || due.at > now) return
      const { run } = due
      due = null
      run()
    },
  }
}

describe('batches', () => {
  it('delivers the first item after a quiet time without a wait', () => {
    const { timer, advance } = manualTimer()
    const batches: (readonly number[])[] = []
    const batcher = new Batcher<number>({ intervalMs: 250, timer, onBatch: (b) => batches.push(b) })
    batcher.add(1)
    advance(0)
    expect(batches).toEqual([[1]])
  })

  it('delivers a burst at most once per interval, in order', () => {
    const { timer, advance } = manualTimer()
    const batches: (readonly number[])[] = []
    const batcher = new Batcher<number>({ intervalMs: 250, timer, onBatch: (b) => batches.push(b) })
    for (let tick = 0; tick < 100; tick += 1) {
      batcher.add(tick)
      advance(10)
    }
    advance(250)
    expect(batches.length).toBeLessThanOrEqual(6)
    expect(batches.flat()).toEqual(Array.from({ length: 100 }, (_, tick) => tick))
  })

  it('delivers nothing after a stop', () => {
    const { timer, advance } = manualTimer()
    const batches: (readonly number[])[] = []
    const batcher = new Batcher<number>({ intervalMs: 250, timer, onBatch: (b) => batches.push(b) })
    batcher.add(1)
    batcher.stop()
    advance(1000)
    expect(batches).toEqual([])
  })
})

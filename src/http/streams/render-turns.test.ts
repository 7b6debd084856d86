import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Renders, RenderTurns } from './render-turns.ts'

/** Streams of which each step takes 5 ms of the clock that the turns use. */
function steps(counts: readonly number[]): {
  readonly rendered: number[]
  readonly add: () => void
} {
  let now = 0
  const turns = new RenderTurns({ turnMs: 10, now: () => now })
  const rendered: number[] = []
  const streams = counts.map((count, index): Renders => {
    let left = count
    return {
      renderNext: () => {
        now += 5
        rendered.push(index)
        left -= 1
        return left > 0
      },
    }
  })
  return { rendered, add: () => streams.forEach((stream) => turns.add(stream)) }
}

describe('rendering for watches', () => {
  test('stops after its milliseconds, and goes on when other events have been handled', async () => {
    const { rendered, add } = steps([1, 1, 1, 1, 1])
    add()
    const perTurn: number[] = []
    for (let before = 0; before < 5; before = rendered.length) {
      await nextTurn()
      perTurn.push(rendered.length - before)
    }
    expect(perTurn).toEqual([2, 2, 1])
  })

  test('is immediate while the turn has time and no stream waits', async () => {
    let now = 0
    const turns = new RenderTurns({ turnMs: 10, now: () => now })
    const times = [0, 9, 10].map((time) => {
      now = time
      return turns.hasTime()
    })
    expect(times).toEqual([true, true, false])
    await nextTurn()
    expect(turns.hasTime()).toBe(true)
    turns.add({ renderNext: () => false })
    expect(turns.hasTime()).toBe(false)
  })

  test('takes one step of each stream before the second step of any', async () => {
    const { rendered, add } = steps([3, 1, 2])
    add()
    while (rendered.length < 6) await nextTurn()
    expect(rendered).toEqual([0, 1, 2, 0, 2, 0])
  })
})

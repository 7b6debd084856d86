import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type RenderTask, RenderScheduler } from './render-scheduler.ts'

/** A scheduler with tasks of the given numbers of steps. Each step advances its clock by 5 ms. */
function steps(counts: readonly number[]): {
  readonly rendered: number[]
  readonly add: () => void
} {
  let now = 0
  const scheduler = new RenderScheduler({ sliceMs: 10, now: () => now })
  const rendered: number[] = []
  const tasks = counts.map((count, index): RenderTask => {
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
  return { rendered, add: () => tasks.forEach((task) => scheduler.add(task)) }
}

describe('the render scheduler', () => {
  test('continues in the next turn of the event loop when its slice is over', async () => {
    const { rendered, add } = steps([1, 1, 1, 1, 1])
    add()
    const perTurn: number[] = []
    for (let before = 0; before < 5; before = rendered.length) {
      await nextTurn()
      perTurn.push(rendered.length - before)
    }
    expect(perTurn).toEqual([2, 2, 1])
  })

  test('allows immediate steps while the slice has time left and no task waits', async () => {
    let now = 0
    const scheduler = new RenderScheduler({ sliceMs: 10, now: () => now })
    const times = [0, 9, 10].map((time) => {
      now = time
      return scheduler.hasTimeLeft()
    })
    expect(times).toEqual([true, true, false])
    await nextTurn()
    expect(scheduler.hasTimeLeft()).toBe(true)
    scheduler.add({ renderNext: () => false })
    expect(scheduler.hasTimeLeft()).toBe(false)
  })

  test('runs one step of each task before the second step of any', async () => {
    const { rendered, add } = steps([3, 1, 2])
    add()
    while (rendered.length < 6) await nextTurn()
    expect(rendered).toEqual([0, 1, 2, 0, 2, 0])
  })
})

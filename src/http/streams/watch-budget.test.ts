import { describe, expect, test } from 'vitest'
import { WatchBudget } from './watch-budget.ts'

const MAX = 1600

describe('the budget of watches', () => {
  test('counts an object that several streams hold once, until the last one releases it', () => {
    const budget = new WatchBudget({ maxBytes: MAX, freeMemory: () => undefined })
    const piece = {}
    budget.hold(piece, 300)
    budget.hold(piece, 300)
    expect(budget.pendingBytes).toBe(300)
    budget.release(piece)
    expect(budget.pendingBytes).toBe(300)
    budget.release(piece)
    expect(budget.pendingBytes).toBe(0)
  })

  test('frees memory, with a reserve, before a new object exceeds it', () => {
    const freed: number[] = []
    const budget = new WatchBudget({
      maxBytes: MAX,
      freeMemory: (needed) => void freed.push(needed),
    })
    const piece = {}
    budget.reserve(piece, MAX)
    budget.hold(piece, MAX)
    budget.reserve(piece, MAX)
    expect(freed).toEqual([])
    budget.reserve({}, 1)
    expect(freed).toEqual([101])
  })

  test('is full while more than a quarter of it waits to be rendered', async () => {
    const budget = new WatchBudget({ maxBytes: MAX, freeMemory: () => undefined })
    const [first, second] = [{}, {}]
    budget.holdBacklog(first, 400)
    expect(budget.isFull()).toBe(false)
    budget.holdBacklog(second, 1)
    expect(budget.isFull()).toBe(true)
    let isDrained = false
    const drained = budget.drained().then(() => (isDrained = true))
    await Promise.resolve()
    expect(isDrained).toBe(false)
    budget.releaseBacklog(first)
    await drained
    expect(budget.isFull()).toBe(false)
  })
})

import { expect, it } from 'vitest'
import { createEvaluationBudget } from './evaluation-budget.ts'

/** Whether the event loop handles other events during a pause. */
async function letsEventsPass(pause: () => Promise<void>): Promise<boolean> {
  let hasPassed = false
  const event = setImmediate(() => {
    hasPassed = true
  })
  await pause()
  clearImmediate(event)
  return hasPassed
}

it('R36: lets other events pass once for each 50 000 steps', async () => {
  const { spend, pause } = createEvaluationBudget(1_000_000)
  spend(49_999)
  expect(await letsEventsPass(pause)).toBe(false)
  spend(1)
  expect(await letsEventsPass(pause)).toBe(true)
  spend(49_999)
  expect(await letsEventsPass(pause)).toBe(false)
})

it('R36: a budget within another one charges both', async () => {
  const outer = createEvaluationBudget(300_000)
  createEvaluationBudget(200_000, outer).spend(150_000)
  expect(await letsEventsPass(outer.pause)).toBe(true)
  const inner = createEvaluationBudget(200_000, outer)
  expect(() => inner.spend(150_001)).toThrow('call cost limit exceeded')
})

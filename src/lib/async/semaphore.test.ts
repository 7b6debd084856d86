import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createSemaphore } from './semaphore.ts'

it('runs no more than the given number of tasks together', async () => {
  const slots = createSemaphore(2, 60_000)
  let running = 0
  let most = 0
  const task = async (): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    await sleep(5)
    running -= 1
  }
  await Promise.all(Array.from({ length: 6 }, () => slots.run(task)))
  expect(most).toBe(2)
})

it('drops a task that cannot start in time, and no other', async () => {
  const slots = createSemaphore(1, 10)
  const busy = slots.run(async () => {
    await sleep(60)
    return 'done'
  })
  expect(await slots.run(() => Promise.resolve('never'))).toBeNull()
  expect(await busy).toBe('done')
  expect(await slots.run(() => Promise.resolve('next'))).toBe('next')
})

it('starts the next task after one fails', async () => {
  const slots = createSemaphore(1, 10)
  await expect(slots.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await slots.run(() => Promise.resolve('next'))).toBe('next')
})

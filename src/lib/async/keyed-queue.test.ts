import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKeyedQueue } from './keyed-queue.ts'

it('runs the tasks of one key in the order of arrival, one at a time', async () => {
  const queue = createKeyedQueue(60_000)
  const events: string[] = []
  const task = (name: string, ms: number) => async () => {
    events.push(`${name} begins`)
    await sleep(ms)
    events.push(`${name} ends`)
  }
  await Promise.all([queue.run('k', task('slow', 20)), queue.run('k', task('fast', 0))])
  expect(events).toEqual(['slow begins', 'slow ends', 'fast begins', 'fast ends'])
})

it('runs tasks of different keys at the same time', async () => {
  const queue = createKeyedQueue(60_000)
  const { promise, resolve } = deferred()
  const waiting = queue.run('a', () => promise)
  await queue.run('b', async () => resolve())
  await waiting
})

it('reports a failed task to its caller and runs the next one', async () => {
  const queue = createKeyedQueue(60_000)
  const failing = queue.run('k', () => Promise.reject(new Error('broken')))
  const next = queue.run('k', () => Promise.resolve('fine'))
  await expect(failing).rejects.toThrow('broken')
  await expect(next).resolves.toBe('fine')
})

it('does not run a task that has waited too long', async () => {
  const queue = createKeyedQueue(10)
  let ran = false
  const blocked = deferred()
  const slow = queue.run('k', () => blocked.promise)
  const late = queue.run('k', async () => {
    ran = true
  })
  setTimeout(blocked.resolve, 40)
  await expect(late).rejects.toMatchObject({ reason: 'unavailable' })
  await slow
  expect(ran).toBe(false)
})

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

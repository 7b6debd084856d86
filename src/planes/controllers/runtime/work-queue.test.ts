import { expect, it } from 'vitest'
import { must } from '../../../lib/assert.ts'
import { manualTimers } from '../../../../test/support/manual-timers.ts'
import { startControlLoop } from './control-loop.ts'
import { WorkQueue } from './work-queue.ts'

function setUp(maxSize = 100) {
  const timers = manualTimers()
  let overflows = 0
  const queue = new WorkQueue<string>({
    idOf: (item) => item,
    backoff: { baseMs: 100, maxMs: 1000 },
    maxSize,
    onOverflow: () => {
      overflows += 1
    },
    timers,
    random: () => 1,
  })
  return { timers, queue, overflows: () => overflows }
}

it('runs an item once if it is added several times', async () => {
  const { queue } = setUp()
  for (const item of ['a', 'b', 'a', 'a']) queue.add(item)
  expect(queue.size).toBe(2)
  expect([await queue.take(), await queue.take()]).toEqual(['a', 'b'])
})

it('never runs an item twice at the same time, and again if it was added meanwhile', async () => {
  const { queue, timers } = setUp()
  let running = 0
  let most = 0
  let runs = 0
  await using loop = startControlLoop({
    name: 'test',
    queue,
    concurrency: 4,
    reconcile: async () => {
      running += 1
      most = Math.max(most, running)
      runs += 1
      await new Promise<void>((resolve) => timers.schedule(10, resolve))
      running -= 1
    },
    onError: (error) => expect.fail(String(error)),
  })
  queue.add('a')
  await timers.advance(5)
  queue.add('a')
  queue.add('a')
  await timers.advance(100)
  expect({ most, runs, size: queue.size }).toEqual({ most: 1, runs: 2, size: 0 })
  queue.add('a')
  queue.add('b')
  await timers.advance(1)
  expect(running).toBe(2)
  await timers.advance(100)
  void loop
})

it('runs failed items again with growing delays, and forgets failures after a success', async () => {
  const { queue, timers } = setUp()
  const times: number[] = []
  let failures = 5
  await using loop = startControlLoop({
    name: 'test',
    queue,
    concurrency: 1,
    reconcile: async () => {
      times.push(timers.now())
      failures -= 1
      if (failures >= 0) throw new Error('not yet')
    },
    onError: () => undefined,
  })
  queue.add('a')
  await timers.advance(10_000)
  expect(times).toEqual([0, 100, 300, 700, 1500, 2500])
  failures = 1
  queue.add('a')
  await timers.advance(10_000)
  expect(times.slice(6)).toEqual([10_000, 10_100])
  expect(queue.size).toBe(0)
  void loop
})

it('keeps the earliest of several delays, and adds without a delay immediately', async () => {
  const { queue, timers } = setUp()
  queue.addAfter('a', 500)
  queue.addAfter('a', 200)
  queue.addAfter('a', 800)
  queue.addAfter('b', 900)
  queue.add('b')
  const taken: string[] = []
  const taking = (async () => {
    for (let item = await queue.take(); item; item = await queue.take()) {
      taken.push(`${item} at ${timers.now()}`)
      queue.finish(item, 'succeeded')
    }
  })()
  await timers.advance(1000)
  expect(taken).toEqual(['b at 0', 'a at 200'])
  queue[Symbol.dispose]()
  await taking
})

it('keeps a delay that is requested during the run', async () => {
  const { queue, timers } = setUp()
  queue.add('a')
  const item = await queue.take()
  queue.addAfter('a', 300)
  queue.finish(item ?? '', 'succeeded')
  expect(queue.size).toBe(1)
  const next = queue.take()
  await timers.advance(300)
  expect(await next).toBe('a')
})

it('merges items that wait, also after a run that failed while another one was added', async () => {
  const { timers } = setUp()
  const queue = new WorkQueue<{ readonly name: string; readonly uids: string }>({
    idOf: ({ name }) => name,
    merge: (waiting, added) => ({ ...added, uids: waiting.uids + added.uids }),
    backoff: { baseMs: 100, maxMs: 1000 },
    maxSize: 100,
    onOverflow: () => undefined,
    timers,
    random: () => 1,
  })
  const add = (uids: string) => queue.add({ name: 'a', uids })
  const take = async () => must(await queue.take(), 'an item')
  add('1')
  add('')
  add('2')
  const first = await take()
  expect(first.uids).toBe('12')
  add('')
  add('3')
  queue.finish(first, 'failed')
  const second = await take()
  expect(second.uids).toBe('123')
  queue.finish(second, 'failed')
  const third = queue.take()
  await timers.advance(1000)
  expect((await third)?.uids).toBe('123')
})

it('drops items beyond its size and reports it', () => {
  const { queue, overflows } = setUp(2)
  for (const item of ['a', 'b', 'c', 'a']) queue.add(item)
  expect({ size: queue.size, overflows: overflows() }).toEqual({ size: 2, overflows: 1 })
})

it('resolves waits for a low size, and ends all waits when it is disposed', async () => {
  const { queue } = setUp()
  for (const item of ['a', 'b']) queue.add(item)
  const low = queue.whenBelow(2)
  queue.finish((await queue.take()) ?? '', 'succeeded')
  await low
  const never = queue.whenBelow(0)
  await queue.take()
  const taking = queue.take()
  queue[Symbol.dispose]()
  await never
  expect(await taking).toBeNull()
})

it('serves 200 000 items in order', async () => {
  const { queue } = setUp(200_000)
  for (let index = 0; index < 200_000; index += 1) queue.add(String(index))
  for (let index = 0; index < 200_000; index += 1) {
    const item = await queue.take()
    if (item !== String(index)) expect.fail(`${item} instead of ${index}`)
    queue.finish(item, 'succeeded')
  }
  expect(queue.size).toBe(0)
})

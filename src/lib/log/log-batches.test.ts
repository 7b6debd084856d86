import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inBatches, type LogSink } from './log-batches.ts'

const written: string[] = []
const sink: LogSink = {
  write: (text) => void written.push(text),
  flush: async () => void written.push('flushed'),
  flushSync: () => void written.push('flushed at once'),
}

beforeEach(() => {
  vi.useFakeTimers()
  written.length = 0
})
afterEach(() => void vi.useRealTimers())

it('writes lines together after a delay', () => {
  const destination = inBatches(sink)
  destination.write('a\n')
  destination.write('b\n')
  expect(written).toEqual([])
  vi.runAllTimers()
  expect(written).toEqual(['a\nb\n'])
  destination.write('c\n')
  vi.runAllTimers()
  expect(written).toEqual(['a\nb\n', 'c\n'])
})

it('writes a full batch immediately', () => {
  const destination = inBatches(sink)
  const line = `${'x'.repeat(999)}\n`
  for (let count = 0; count < 34; count += 1) destination.write(line)
  expect(written).toEqual([line.repeat(33)])
  vi.runAllTimers()
  expect(written).toEqual([line.repeat(33), line])
})

it('writes waiting lines when flushed', async () => {
  const destination = inBatches(sink)
  destination.write('a\n')
  destination.flushSync()
  expect(written).toEqual(['a\n', 'flushed at once'])
  destination.write('b\n')
  await destination.flush()
  expect(written).toEqual(['a\n', 'flushed at once', 'b\n', 'flushed'])
  vi.runAllTimers()
  expect(written).toHaveLength(4)
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogDestination } from './log-destination.ts'
import { createLogSink, type LossySink } from './log-sink.ts'

const failures: string[] = []
let written = ''
/** The results of the next writes. Later writes accept everything. */
let script: (number | 'ENOSPC' | 'EAGAIN' | 'hang')[] = []
let sink: LossySink

function attempt(bytes: Buffer): number {
  const step = script.shift() ?? bytes.length
  if (typeof step === 'string') throw Object.assign(new Error(step), { code: step })
  written += bytes.subarray(0, step).toString()
  return Math.min(step, bytes.length)
}

const destination: LogDestination = {
  write: (bytes, done) => {
    if (script[0] === 'hang') return
    setImmediate(() => {
      try {
        done(null, attempt(bytes))
      } catch (error) {
        done(error instanceof Error ? error : null, 0)
      }
    })
  },
  writeSync: attempt,
}

beforeEach(() => {
  written = ''
  script = []
  failures.length = 0
  sink = createLogSink({ destination, onFailure: ({ message }) => void failures.push(message) })
})
afterEach(() => void vi.useRealTimers())

describe('createLogSink', () => {
  it('writes lines in order', async () => {
    for (const line of ['a\n', 'b\n', 'c\n']) sink.write(line)
    await sink.flush()
    expect(written).toBe('a\nb\nc\n')
    expect(sink.lostLines).toBe(0)
  })

  it('continues after the bytes of a partial write', async () => {
    script = [2, 1]
    sink.write('hello\n')
    await sink.flush()
    expect(written).toBe('hello\n')
  })

  it('counts the lines of a failed write, reports the first failure and continues', async () => {
    script = ['ENOSPC']
    sink.write('a\nb\n')
    await sink.flush()
    script = ['ENOSPC']
    sink.write('c\n')
    await sink.flush()
    sink.write('d\n')
    await sink.flush()
    expect(written).toBe('d\n')
    expect(sink.lostLines).toBe(3)
    expect(failures).toEqual(['ENOSPC'])
  })

  it('ends an incomplete line before the next one', async () => {
    script = [4, 'ENOSPC']
    sink.write('a\nbcd\ne\n')
    await sink.flush()
    expect(sink.lostLines).toBe(2)
    sink.write('f\n')
    await sink.flush()
    expect(written).toBe('a\nbc\nf\n')
    sink.write('g\n')
    await sink.flush()
    expect(written).toBe('a\nbc\nf\ng\n')
  })

  it('waits for a full destination', async () => {
    script = ['EAGAIN', 'EAGAIN']
    sink.write('a\n')
    await sink.flush()
    expect(written).toBe('a\n')
    expect(sink.lostLines).toBe(0)
  })

  it('drops lines beyond 8 MiB while the destination is full, and ends a flush after a time', async () => {
    script = ['hang']
    const line = `${'x'.repeat(1023)}\n`
    // The destination has the first line.
    for (let count = 0; count < 1 + 8 * 1024 + 5; count += 1) sink.write(line)
    expect(sink.lostLines).toBe(5)
    await sink.flush()
    expect(written).toBe('')
  })

  it('writes waiting lines when the process exits', () => {
    script = ['hang']
    sink.write('in the destination\n')
    sink.write('waiting\n')
    script = []
    sink.flushSync()
    expect(written).toBe('waiting\n')
  })

  it('limits its attempts when the process exits', () => {
    script = ['hang']
    sink.write('in the destination\n')
    sink.write('waiting\n')
    script = Array.from({ length: 1000 }, () => 'EAGAIN' as const)
    sink.flushSync()
    expect(sink.lostLines).toBe(1)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogOutlet } from './log-outlet.ts'
import { createLogSink, type LossySink } from './log-sink.ts'

const failures: string[] = []
let written = ''
/** What the outlet does with the next writes; it writes everything after these. */
let script: (number | 'ENOSPC' | 'EAGAIN' | 'hang')[] = []
let sink: LossySink

function attempt(bytes: Buffer): number {
  const step = script.shift() ?? bytes.length
  if (typeof step === 'string') throw Object.assign(new Error(step), { code: step })
  written += bytes.subarray(0, step).toString()
  return Math.min(step, bytes.length)
}

const outlet: LogOutlet = {
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
  sink = createLogSink({ outlet, onFailure: ({ message }) => void failures.push(message) })
})
afterEach(() => void vi.useRealTimers())

describe('createLogSink', () => {
  it('writes lines in order', async () => {
    for (const line of ['a\n', 'b\n', 'c\n']) sink.write(line)
    await sink.flush()
    expect(written).toBe('a\nb\nc\n')
    expect(sink.lostLines).toBe(0)
  })

  it('goes on where a write was cut short', async () => {
    script = [2, 1]
    sink.write('hello\n')
    await sink.flush()
    expect(written).toBe('hello\n')
  })

  it('counts the lines of a failed write, reports the first failure, and writes the next', async () => {
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

  it('waits for an outlet without room', async () => {
    script = ['EAGAIN', 'EAGAIN']
    sink.write('a\n')
    await sink.flush()
    expect(written).toBe('a\n')
    expect(sink.lostLines).toBe(0)
  })

  it('loses lines beyond 8 MiB while the outlet has no room, and gives up a flush', async () => {
    script = ['hang']
    const line = `${'x'.repeat(1023)}\n`
    // The outlet has the first line.
    for (let count = 0; count < 1 + 8 * 1024 + 5; count += 1) sink.write(line)
    expect(sink.lostLines).toBe(5)
    await sink.flush()
    expect(written).toBe('')
  })

  it('writes what waits when the process exits', () => {
    script = ['hang']
    sink.write('in the outlet\n')
    sink.write('waiting\n')
    script = []
    sink.flushSync()
    expect(written).toBe('waiting\n')
  })

  it('tries only for a moment when the process exits', () => {
    script = ['hang']
    sink.write('in the outlet\n')
    sink.write('waiting\n')
    script = Array.from({ length: 1000 }, () => 'EAGAIN' as const)
    sink.flushSync()
    expect(sink.lostLines).toBe(1)
  })
})

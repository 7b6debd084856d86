import { errorCode } from '../error-code.ts'
import type { LogSink } from './log-batches.ts'
import type { LogDestination } from './log-destination.ts'

/** Maximum text that waits for a slow destination. Further lines are dropped. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024
/** Wait before the next attempt if the destination is full. */
const RETRY_MS = 50
/** Maximum wait of a flush for a destination that is full. */
const FLUSH_MS = 1000
const EXIT_RETRIES = 10
const EXIT_RETRY_MS = 20

const LINE_FEED = 10

interface Options {
  readonly destination: LogDestination
  /** Receives the first failure. */
  readonly onFailure: (error: Error) => void
}

/** A sink that drops and counts lines if the destination fails or does not keep up. */
export interface LossySink extends LogSink {
  readonly lostLines: number
}

/** Writes to the destination in order, one write at a time. */
export function createLogSink(options: Options): LossySink {
  return new Sink(options)
}

class Sink implements LossySink {
  lostLines = 0
  readonly #options: Options
  #queue: Buffer[] = []
  #queuedBytes = 0
  /** The bytes that are being written or wait for the next attempt; null if idle. */
  #current: Buffer | null = null
  #retry: NodeJS.Timeout | null = null
  /** Whether the last written line is incomplete. */
  #isLineIncomplete = false
  #failed = false
  #onIdle: (() => void)[] = []

  constructor(options: Options) {
    this.#options = options
  }

  write(lines: string): void {
    const bytes = Buffer.from(lines)
    if (this.#queuedBytes + bytes.length > MAX_QUEUED_BYTES) {
      this.#lose(bytes)
      return
    }
    this.#queue.push(bytes)
    this.#queuedBytes += bytes.length
    if (this.#current === null) this.#next()
  }

  async flush(): Promise<void> {
    if (this.#current === null) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, FLUSH_MS)
      this.#onIdle.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  flushSync(): void {
    const bytes = this.#takeQueue()
    // Bytes that are being written are not written twice; those that wait for a retry are added.
    if (this.#retry !== null && this.#current !== null) {
      clearTimeout(this.#retry)
      this.#retry = null
      bytes.unshift(this.#current)
      this.#current = null
    }
    let rest = Buffer.concat(bytes)
    for (let attempt = 0; rest.length > 0 && attempt < EXIT_RETRIES;) {
      try {
        rest = rest.subarray(this.#options.destination.writeSync(rest))
      } catch (error) {
        if (errorCode(error) !== 'EAGAIN') break
        attempt += 1
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_RETRY_MS)
      }
    }
    this.#lose(rest)
  }

  #takeQueue(): Buffer[] {
    const queue = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    return queue
  }

  #next(): void {
    const queue = this.#takeQueue()
    if (queue.length === 0) {
      this.#current = null
      for (const resolve of this.#onIdle.splice(0)) resolve()
      return
    }
    if (this.#isLineIncomplete) queue.unshift(Buffer.from('\n'))
    this.#attempt(Buffer.concat(queue))
  }

  #attempt(bytes: Buffer): void {
    this.#current = bytes
    this.#retry = null
    this.#options.destination.write(bytes, (error, written) => this.#done(bytes, error, written))
  }

  #done(bytes: Buffer, error: Error | null, written: number): void {
    if (errorCode(error) === 'EAGAIN') {
      this.#retry = setTimeout(() => this.#attempt(bytes), RETRY_MS).unref()
      return
    }
    if (error === null && written > 0) {
      this.#isLineIncomplete = bytes[written - 1] !== LINE_FEED
      if (written < bytes.length) return this.#attempt(bytes.subarray(written))
    } else {
      this.#lose(bytes)
      if (error !== null && !this.#failed) this.#options.onFailure(error)
      this.#failed = true
    }
    this.#next()
  }

  #lose(bytes: Buffer): void {
    for (const byte of bytes) if (byte === LINE_FEED) this.lostLines += 1
  }
}

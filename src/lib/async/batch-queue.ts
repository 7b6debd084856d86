import { FlotillaError } from '../errors.ts'
import { currentContext, type RequestContext, runTogether } from '../tracing/request-context.ts'

/** A call that waits for its batch. */
export interface Call<Input, Output> {
  readonly input: Input
  readonly resolve: (output: Output) => void
  readonly reject: (error: unknown) => void
}

interface Waiting<Input, Output> extends Call<Input, Output> {
  readonly arrival: number
  readonly requestContext: RequestContext | null
}

interface Options<Input, Output> {
  /** The name of its batches in traces. */
  readonly name: string
  /**
   * Resolves or rejects every call of a batch, some of them possibly after it returns. The next
   * batch starts when it returns. Must not throw.
   */
  readonly run: (batch: readonly Call<Input, Output>[]) => Promise<void>
  /** Maximum number of calls per batch. */
  readonly maxBatchSize: number
  /** Maximum number of batches that run at the same time. */
  readonly concurrency: number
  /** Calls that have not started after this many milliseconds fail with `unavailable`. */
  readonly timeoutMs: number
}

/**
 * Collects calls into batches. Calls in the same turn of the event loop form one batch. Calls that
 * arrive while the maximum number of batches runs form the next one.
 */
export function createBatchQueue<Input, Output>({
  name,
  run,
  maxBatchSize,
  concurrency,
  timeoutMs,
}: Options<Input, Output>): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = []
  let running = 0
  let scheduled = false

  function start(): void {
    scheduled = false
    const late = performance.now() - timeoutMs
    while ((waiting[0]?.arrival ?? Infinity) < late) waiting.shift()?.reject(tooLate())
    while (waiting.length > 0 && running < concurrency) {
      running += 1
      void finish(waiting.splice(0, maxBatchSize))
    }
  }

  async function finish(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    const contexts = batch.map(({ requestContext }) => requestContext)
    await runTogether(name, contexts, () => run(batch))
    running -= 1
    start()
  }

  return (input) =>
    new Promise((resolve, reject) => {
      const [arrival, requestContext] = [performance.now(), currentContext()]
      waiting.push({ input, arrival, requestContext, resolve, reject })
      if (scheduled || running >= concurrency) return
      scheduled = true
      setImmediate(start)
    })
}

function tooLate(): FlotillaError {
  return new FlotillaError('unavailable', 'Earlier requests have not finished in time: try again')
}

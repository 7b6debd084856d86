import { ReadyList } from '../runtime/ready-list.ts'

/** Passes values from callbacks to one reader. */
export interface EventBuffer<Value> {
  push(value: Value): void
  /** Ends the reader after the values in the buffer, with an error unless it is null. */
  end(error: unknown): void
  readonly values: AsyncIterable<Value>
  /** Resolves when the reader has taken all values. */
  readonly drained: () => Promise<void>
}

/**
 * A buffer of at most `limit` values. A reader that falls further behind receives the error that
 * `overflow` creates.
 */
export function createEventBuffer<Value>(
  limit: number,
  overflow: () => unknown,
): EventBuffer<Value> {
  const waiting = new ReadyList<Value>()
  let end: { readonly error: unknown } | null = null
  let wake = (): void => undefined
  let drain: (() => void)[] = []

  async function* read(): AsyncGenerator<Value> {
    for (;;) {
      for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) yield value
      for (const resolve of drain.splice(0)) resolve()
      if (end !== null) {
        if (end.error !== null) throw end.error
        return
      }
      if (waiting.length > 0) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  function finish(error: unknown): void {
    end ??= { error }
    for (const resolve of drain.splice(0)) resolve()
    wake()
  }

  return {
    push: (value) => {
      if (end !== null) return
      if (waiting.length >= limit) return finish(overflow())
      waiting.push(value)
      wake()
    },
    end: finish,
    values: { [Symbol.asyncIterator]: read },
    drained: () => {
      if (end !== null || waiting.length === 0) return Promise.resolve()
      return new Promise((resolve) => drain.push(resolve))
    },
  }
}

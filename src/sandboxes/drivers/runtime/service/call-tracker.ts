/** Observes whether callers use a runtime. */
export interface CallTracker {
  /** A service whose calls are tracked. */
  track<T extends object>(service: T): T
  /** Milliseconds since the last call ended; 0 while a call runs. */
  idleMs(): number
}

/** Counts running calls. `now` is a monotonic time in milliseconds. */
export function createCallTracker(now: () => number): CallTracker {
  let running = 0
  let lastEnd = now()
  const start = (): void => void (running += 1)
  const end = (): void => {
    running -= 1
    lastEnd = now()
  }
  return {
    track: (service) =>
      new Proxy(service, {
        get: (target, name, receiver) => {
          const method: unknown = Reflect.get(target, name, receiver)
          if (typeof method !== 'function') return method
          return (...parameters: unknown[]) => tracked(() => method(...parameters), start, end)
        },
      }),
    idleMs: () => (running > 0 ? 0 : now() - lastEnd),
  }
}

function tracked(call: () => unknown, start: () => void, end: () => void): unknown {
  const result = call()
  if (isStream(result)) return trackedStream(result, start, end)
  start()
  return Promise.resolve(result).finally(end)
}

async function* trackedStream(
  stream: AsyncIterable<unknown>,
  start: () => void,
  end: () => void,
): AsyncGenerator {
  start()
  try {
    yield* stream
  } finally {
    end()
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Closes resources in the reverse order of their opening. */
export interface Lifecycle extends AsyncDisposable {
  /** Registers how to close a resource that was just opened. */
  onClose(name: string, close: () => PromiseLike<void> | void): void
}

/** Passes a failure to close to `onError` and continues with the next resource. */
export function createLifecycle(onError: (name: string, error: unknown) => void): Lifecycle {
  const opened: { name: string; close: () => PromiseLike<void> | void }[] = []
  let closing: Promise<void> | null = null

  async function closeAll(): Promise<void> {
    for (let last = opened.pop(); last; last = opened.pop()) {
      try {
        await last.close()
      } catch (error) {
        onError(last.name, error)
      }
    }
  }

  return {
    onClose: (name, close) => void opened.push({ name, close }),
    [Symbol.asyncDispose]: () => (closing ??= closeAll()),
  }
}

/** What has been opened, to be closed in the reverse order. */
export interface Lifecycle extends AsyncDisposable {
  /** Notes how to close what was just opened. */
  onClose(name: string, close: () => PromiseLike<void> | void): void
}

/** Failures to close are handed to `onError`; the rest is closed all the same. */
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

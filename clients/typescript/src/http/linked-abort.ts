/** An abort signal that follows another one and can have a time limit. */
export interface LinkedAbort {
  readonly signal: AbortSignal
  /** Aborts with a reason. */
  abort(reason: unknown): void
  /** Starts or restarts the time limit; null removes it. */
  limit(ms: number | null): void
  /** Whether the time limit aborted the signal. */
  isExpired(): boolean
  /** Stops following. */
  close(): void
}

/** `AbortSignal.any` keeps every signal that it made until the source is collected: this does not. */
export function linkedAbort(source: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController()
  const follow = () => controller.abort(source?.reason)
  let timer: ReturnType<typeof setTimeout> | undefined
  let expired = false
  if (source?.aborted === true) follow()
  else source?.addEventListener('abort', follow, { once: true })
  const expire = () => {
    expired = true
    controller.abort(new Error('timed out'))
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    limit: (ms) => {
      clearTimeout(timer)
      if (ms !== null && Number.isFinite(ms)) timer = setTimeout(expire, ms)
    },
    isExpired: () => expired,
    close: () => {
      clearTimeout(timer)
      source?.removeEventListener('abort', follow)
    },
  }
}

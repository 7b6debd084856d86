interface RedrawOptions {
  /** Draws the current state. */
  readonly draw: () => Promise<void>
  /** The shortest time between two drawings. */
  readonly intervalMs: number
  /** Draws again after this time even if nothing has changed, such as for ages. */
  readonly refreshMs: number
  readonly onError: (error: unknown) => void
}

/** Requests drawings, which are combined and never overlap. */
export interface Redraw extends AsyncDisposable {
  readonly request: () => void
}

/** Combines many changes into few drawings. Disposing draws once more. */
export function startRedraw({ draw, intervalMs, refreshMs, onError }: RedrawOptions): Redraw {
  let isDue = false
  let current: Promise<void> = Promise.resolve()
  let last = -Infinity
  const timer = setInterval(() => {
    const elapsed = performance.now() - last
    if (elapsed < (isDue ? intervalMs : refreshMs)) return
    drawNow()
  }, intervalMs)
  const drawNow = () => {
    isDue = false
    last = performance.now()
    current = current.then(draw).catch(onError)
  }
  return {
    request: () => {
      isDue = true
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      drawNow()
      await current
    },
  }
}

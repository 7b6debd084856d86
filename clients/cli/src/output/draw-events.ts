import { openLiveLines } from './live-lines.ts'
import { startRedraw } from './redraw.ts'
import type { Terminal } from './terminal.ts'

const INTERVAL_MS = 100
/** Ages change every second. */
const REFRESH_MS = 1000

interface Drawing<E> {
  readonly events: AsyncIterable<E>
  readonly onEvent: (event: E) => void
  /** The lines of the current state. They must fit the height of the terminal. */
  readonly lines: () => Promise<readonly string[]>
}

/** Draws lines in place, and again after events and changes of the size, until the events end. */
export async function drawEvents<E>(
  out: Terminal,
  { events, onEvent, lines }: Drawing<E>,
): Promise<void> {
  const failure = new AbortController()
  using live = openLiveLines(out)
  await using redraw = startRedraw({
    intervalMs: INTERVAL_MS,
    refreshMs: REFRESH_MS,
    onError: (error) => failure.abort(error),
    draw: async () => live.show(await lines()),
  })
  const endResize = out.onResize(redraw.request)
  redraw.request()
  try {
    for await (const event of events) {
      failure.signal.throwIfAborted()
      onEvent(event)
      redraw.request()
    }
  } finally {
    endResize()
  }
}

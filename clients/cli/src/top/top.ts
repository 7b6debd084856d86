import type { Overview } from '../../../typescript/src/index.ts'
import type { TopOptions } from '../commands/top.ts'
import { readFormat } from '../output/formats.ts'
import { openLiveLines } from '../output/live-lines.ts'
import { objectText } from '../output/object-text.ts'
import { startRedraw } from '../output/redraw.ts'
import type { Session } from '../session/session.ts'
import { overviewLines } from './overview-lines.ts'

const INTERVAL_MS = 250
const REFRESH_MS = 1000

/** Shows the overview of the server: live on a terminal, once elsewhere. */
export async function top(session: Session, options: TopOptions): Promise<void> {
  const { client, out, signal } = session
  const format = readFormat(options.output, ['json', 'yaml'])
  if (format.name === 'json' || format.name === 'yaml') {
    out.write(await objectText(format, await client.overview({ signal })))
  } else if (out.isTty) {
    await drawOverview(session)
  } else {
    const overview = await client.overview({ signal })
    const lines = await overviewLines(overview, { terminal: out, now: session.now() })
    out.write(`${lines.join('\n')}\n`)
  }
}

async function drawOverview(session: Session): Promise<void> {
  const { client, out, signal, connection } = session
  let overview: Overview = await client.overview({ signal })
  let state = 'live'
  const failure = new AbortController()
  using live = openLiveLines(out)
  await using redraw = startRedraw({
    intervalMs: INTERVAL_MS,
    refreshMs: REFRESH_MS,
    onError: (error) => failure.abort(error),
    draw: async () => {
      const lines = await overviewLines(overview, { terminal: out, now: session.now() })
      const status = signal.aborted
        ? connection.server
        : `${connection.server}, ${state}, Ctrl-C ends`
      const header = out.colors.dim(status.slice(0, out.columns))
      live.show([header, ...lines].slice(0, out.rows - 1))
    },
  })
  const endResize = out.onResize(redraw.request)
  redraw.request()
  try {
    const onRetry = () => {
      state = 'reconnecting'
    }
    for await (const event of client.watchOverview({ signal, onRetry })) {
      failure.signal.throwIfAborted()
      state = 'live'
      if (event.type === 'MODIFIED') overview = event.object
      redraw.request()
    }
  } finally {
    endResize()
  }
}

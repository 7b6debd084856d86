import { type Command, Option } from 'commander'
import type { Overview } from '../../../typescript/src/index.ts'
import { drawEvents } from '../output/draw-events.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'
import { overviewLines } from '../top/overview-lines.ts'
import { followBreakdowns, readBreakdowns } from '../top/read-breakdowns.ts'

/** The options of `flotilla top`. */
interface TopOptions {
  readonly output?: string | undefined
}

/** `flotilla top` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('top')
    .description(
      'Shows the load, and the resources that are not ready by reason: live on a terminal, once elsewhere.',
    )
    .addOption(new Option('-o, --output <format>', 'json or yaml'))
    .action(async (options: TopOptions, command: Command) => {
      const session = await open(command)
      await top(session, options)
    })
}

/** Shows the overview of the server: live on a terminal, once elsewhere. */
async function top(session: Session, options: TopOptions): Promise<void> {
  const { client, out, signal } = session
  const format = readFormat(options.output, ['json', 'yaml'])
  if (format.name === 'json' || format.name === 'yaml') {
    out.write(await objectText(format, await client.overview({ signal })))
  } else if (out.isTty) {
    await drawOverview(session)
  } else {
    const overview = await client.overview({ signal })
    const breakdowns = await readBreakdowns(session, overview)
    const lines = await overviewLines(overview, { breakdowns, terminal: out, now: session.now() })
    out.write(`${lines.join('\n')}\n`)
  }
}

async function drawOverview(session: Session): Promise<void> {
  const { client, out, signal, connection } = session
  let overview: Overview = await client.overview({ signal })
  const breakdowns = await followBreakdowns(session, overview)
  let state = 'live'
  const onRetry = () => {
    state = 'reconnecting'
  }
  await drawEvents(out, {
    events: client.watchOverview({ signal, onRetry }),
    onEvent: (event) => {
      state = 'live'
      if (event.type === 'MODIFIED') overview = event.object
    },
    lines: async () => {
      const now = session.now()
      const latest = breakdowns(overview)
      const lines = await overviewLines(overview, { breakdowns: latest, terminal: out, now })
      const status = signal.aborted
        ? connection.server
        : `${connection.server}, ${state}, Ctrl-C ends`
      const header = out.colors.dim(status.slice(0, out.columns))
      return [header, ...lines].slice(0, out.rows - 1)
    },
  })
}

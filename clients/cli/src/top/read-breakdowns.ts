import {
  type AdapterSummary,
  ApiError,
  type Breakdown,
  type Overview,
} from '../../../typescript/src/index.ts'
import type { Session } from '../session/session.ts'

/** The causes and adapters of a kind with resources that are not ready. */
export interface KindBreakdown {
  /** The message of an error in its place. */
  readonly breakdown: Breakdown | string
  readonly adapters: readonly AdapterSummary[]
}

/** The breakdowns of the kinds of an overview. */
export type Breakdowns = ReadonlyMap<string, KindBreakdown>

const ROWS = 8
/** The server shares its answers, and repeats them for longer if they are expensive. */
const INTERVAL_MS = 5000

/** Reads the breakdowns of the kinds with resources that are not ready. */
export async function readBreakdowns(
  { client, signal }: Pick<Session, 'client' | 'signal'>,
  { kinds }: Overview,
): Promise<Breakdowns> {
  const broken = kinds.filter(({ not_ready: notReady }) => notReady > 0)
  const entries = broken.map(async ({ kind }) => {
    const [breakdown, adapters] = await Promise.all([
      client.breakdown({ kind, limit: ROWS, signal }).catch(messageOf),
      client.adapters({ kind, signal }).catch(messageOf),
    ])
    // The breakdown has the same error, unless the server is too old to list adapters.
    const items = typeof adapters === 'string' ? [] : adapters.items
    return [kind, { breakdown, adapters: items }] as const
  })
  return new Map(await Promise.all(entries))
}

function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  throw error
}

/** Returns the last breakdowns at any time, and reads them again in the background if they are old. */
export async function followBreakdowns(
  session: Pick<Session, 'client' | 'signal'>,
  overview: Overview,
): Promise<(overview: Overview) => Breakdowns> {
  let latest = await readBreakdowns(session, overview)
  let readAt = performance.now()
  return (current) => {
    if (!session.signal.aborted && performance.now() - readAt > INTERVAL_MS) {
      readAt = performance.now()
      // The watch of the overview reports a server that does not answer.
      readBreakdowns(session, current).then(
        (read) => {
          latest = read
        },
        () => undefined,
      )
    }
    return latest
  }
}

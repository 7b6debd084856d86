import type { Breakdown, KindDescription } from '../../../typescript/src/index.ts'
import type { Format } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import { tableLines } from '../output/table.ts'
import { combinedSearch } from '../resources/combined-search.ts'
import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { breakdownSummary, breakdownTable } from './breakdown-table.ts'

/** The fields that explain a resource that is not ready. */
const CAUSE = ['adapter', 'reason']

/** Which resources are explained, and how they are grouped. */
export interface ExplainedResources {
  /** A word that names the kind; undefined for all kinds with statuses. */
  readonly kind: string | undefined
  /** Labels and declared fields of the spec, besides adapter and reason. */
  readonly by: readonly string[]
  readonly search?: string | undefined
  readonly selector?: string | undefined
  readonly limit: number
}

/** Prints what keeps the resources of a kind, or of all kinds, from being ready. */
export async function explainAll(
  session: Session,
  format: Format,
  { kind, by, search, selector: labels, limit }: ExplainedResources,
): Promise<void> {
  const { client, out, signal } = session
  const filter = combinedSearch({ search, labels })
  const breakdowns: Breakdown[] = []
  for (const name of await kindsOf(session, kind)) {
    const query = { kind: name, by: [...CAUSE, ...by], search: filter, limit, signal }
    breakdowns.push(await client.breakdown(query))
  }
  if (format.name === 'json' || format.name === 'yaml' || format.name === 'jsonpath') {
    const list = { kind: 'BreakdownList', items: breakdowns }
    out.write(await objectText(format, kind === undefined ? list : breakdowns[0]))
    return
  }
  for (const [index, breakdown] of breakdowns.entries()) {
    if (index > 0) out.write('\n')
    await printBreakdown(session, breakdown, format.name === 'wide')
  }
}

async function kindsOf(session: Session, word: string | undefined): Promise<readonly string[]> {
  if (word !== undefined) {
    const { kind } = await resolveTarget(session, word, { kubectl: `get ${word}` })
    return [kind]
  }
  const kinds = await session.kinds()
  const isExplained = ({ has_statuses: has, with_all_kinds: isOfAll }: KindDescription): boolean =>
    has && isOfAll !== false
  return kinds.filter(isExplained).map(({ kind }) => kind)
}

async function printBreakdown(
  { out, err, now }: Session,
  breakdown: Breakdown,
  wide: boolean,
): Promise<void> {
  const { items, other, complete } = breakdown
  const table = breakdownTable(breakdown, { now: now(), wide })
  const lines = items.length === 0 ? [] : await tableLines(table, out)
  out.write([breakdownSummary(breakdown), ...lines].map((line) => `${line}\n`).join(''))
  if (other.rows > 0) {
    err.write(`${other.rows} smaller groups with ${other.count} are omitted; --limit shows more.\n`)
  }
  if (!complete) err.write('The counts of rows are estimates from a sample.\n')
}

import { tableLines } from '../output/table.ts'
import type { Session } from '../session/session.ts'
import { BUILT_IN_KINDS } from './built-in-kinds.ts'

const COLUMNS = [
  { header: 'NAME', shrinksTo: 12 },
  { header: 'SHORT' },
  { header: 'KIND', rank: 1, shrinksTo: 10 },
]

/** Lists the kinds of the HyperFleet API, which KIND arguments can name. */
export async function listKinds(session: Session): Promise<void> {
  const rows = (await session.kinds()).map(({ kind, plural }) => {
    const builtIn = BUILT_IN_KINDS.find((one) => one.plural === plural)
    return [plural, builtIn?.aliases.join(',') ?? '', kind]
  })
  const lines = await tableLines({ columns: COLUMNS, rows }, session.out)
  session.out.write(`${lines.join('\n')}\n`)
}

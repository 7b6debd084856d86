import type { Command } from 'commander'
import { tableLines } from '../output/table.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'
import { BUILT_IN_KINDS } from '../targets/built-in-kinds.ts'

/** `flotilla kinds` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('kinds')
    .description('Lists the kinds of the HyperFleet API.')
    .action(async (_options: unknown, command: Command) => {
      const session = await open(command)
      await listKinds(session)
    })
}

const COLUMNS = [
  { header: 'NAME', shrinksTo: 12 },
  { header: 'SHORT' },
  { header: 'KIND', rank: 1, shrinksTo: 10 },
]

/** Lists the kinds of the HyperFleet API, which KIND arguments can name. */
async function listKinds(session: Session): Promise<void> {
  const rows = (await session.kinds()).map(({ kind, plural }) => {
    const builtIn = BUILT_IN_KINDS.find((one) => one.plural === plural)
    return [plural, builtIn?.aliases.join(',') ?? '', kind]
  })
  const lines = await tableLines({ columns: COLUMNS, rows }, session.out)
  session.out.write(`${lines.join('\n')}\n`)
}

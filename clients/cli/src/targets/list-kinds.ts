import { tableLines } from '../output/table.ts'
import { discoverResources } from '../planes/discover-resources.ts'
import { ROOT_PLANE } from '../planes/plane-path.ts'
import type { Session } from '../session/session.ts'
import { BUILT_IN_KINDS } from './built-in-kinds.ts'

const COLUMNS = [
  { header: 'NAME', shrinksTo: 12 },
  { header: 'SHORT' },
  { header: 'KIND', rank: 1, shrinksTo: 10 },
  { header: 'API', rank: 2, shrinksTo: 10 },
]

/** Lists what KIND arguments can name. */
export async function listKinds(
  session: Session,
  { cluster }: { readonly cluster?: string | undefined },
): Promise<void> {
  const kinds = cluster === undefined ? await session.kinds() : []
  const resources = await discoverResources(session, cluster ?? ROOT_PLANE)
  const rows = [
    ...kinds.map(({ kind, plural }) => {
      const builtIn = BUILT_IN_KINDS.find((one) => one.plural === plural)
      return [plural, builtIn?.aliases.join(',') ?? '', kind, 'hyperfleet/v1']
    }),
    ...resources.map(({ plural, shortNames, kind, group, version }) => [
      group === '' ? plural : `${plural}.${group}`,
      shortNames.join(','),
      kind,
      group === '' ? version : `${group}/${version}`,
    ]),
  ]
  const lines = await tableLines({ columns: COLUMNS, rows }, session.out)
  session.out.write(`${lines.join('\n')}\n`)
}

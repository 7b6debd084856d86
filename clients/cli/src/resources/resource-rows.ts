import type { Column } from '../output/column.ts'
import type { Cell } from '../output/table.ts'
import type { Session } from '../session/session.ts'
import type { Resource } from '../targets/resource.ts'
import { addParentNames } from './parent-names.ts'
import { resourceColumns } from './resource-columns.ts'
import type { View } from './view.ts'

/** Turns resources into the rows of a table. */
export interface ResourceRows {
  readonly columns: readonly Column[]
  readonly rowsOf: (resources: readonly Resource[]) => Promise<readonly (readonly Cell[])[]>
}

/** Prepares the table of a view. Names of parents are looked up once. */
export async function openResourceRows(
  session: Session,
  { target, format }: Pick<View, 'target' | 'format'>,
): Promise<ResourceRows> {
  const parent = target.parentKind?.toUpperCase() ?? null
  const columns = resourceColumns({ wide: format.name === 'wide', parent })
  const kind = (await session.kinds()).find(({ plural }) => plural === target.plural)
  const required = kind?.required_adapters ?? []
  const parents = new Map<string, string>()
  return {
    columns,
    rowsOf: async (resources) => {
      await addParentNames(session, target, { resources, names: parents })
      const context = { now: session.now(), required, parents }
      return resources.map((one) => columns.map(({ cell }) => cell(one, context)))
    },
  }
}

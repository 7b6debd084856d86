import type { Cell, Column } from '../output/table.ts'

/** The media type of tables that the server computes. */
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

/** A table of objects, as the server sends it. */
export interface WireTable {
  /** A watch sends them only with its first event. */
  readonly columnDefinitions: readonly {
    readonly name: string
    /** Columns above 0 are for wide tables. */
    readonly priority: number
  }[]
  readonly rows: readonly WireRow[]
}

export interface WireRow {
  readonly cells: readonly unknown[]
  readonly object: {
    readonly metadata: {
      readonly name: string
      readonly namespace?: string | undefined
      readonly uid?: string | undefined
    }
  }
}

interface Shown {
  readonly wide: boolean
  readonly showNamespace: boolean
}

type Definitions = WireTable['columnDefinitions']

/** The columns that are shown. Narrow terminals lose the last columns first. */
export function objectColumns(definitions: Definitions, shown: Shown): readonly Column[] {
  const own = visible(definitions, shown).map(({ definition }, position) => ({
    header: definition.name.toUpperCase(),
    rank: position,
    shrinksTo: 12,
  }))
  return shown.showNamespace ? [{ header: 'NAMESPACE', shrinksTo: 12 }, ...own] : own
}

/** The cells of an object for these columns. */
export function objectCells(
  { cells, object }: WireRow,
  definitions: Definitions,
  shown: Shown,
): readonly Cell[] {
  const own = visible(definitions, shown).map(({ index }) => cellOf(cells[index]))
  return shown.showNamespace ? [object.metadata.namespace ?? '', ...own] : own
}

function visible(definitions: Definitions, { wide }: Shown) {
  return definitions
    .map((definition, index) => ({ definition, index }))
    .filter(({ definition }) => wide || definition.priority === 0)
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return { text: '<none>', tone: 'quiet' }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import type { ReactNode } from 'react'
import { Badge } from '../../design/badge.tsx'
import type { SortValue } from '../../design/table/sort-rows.ts'
import type { Column } from '../../design/table/table.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import type { TableColumn, TableRow } from '../../kube/read-table.ts'
import { cellTone } from './cell-tone.ts'

const MAX_WIDE_COLUMNS = 8

/** The columns of a table: the namespace, then those of the server as far as they fit. */
export function tableColumns(
  columns: readonly TableColumn[],
  isNamespaced: boolean,
): readonly Column<TableRow>[] {
  const shown = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.priority === 0 || columns.length <= MAX_WIDE_COLUMNS)
    .map(({ column, index }) => columnOf(column, index))
  const [first, ...others] = shown
  if (!isNamespaced || first === undefined) return shown
  const namespace = {
    id: 'namespace',
    label: 'Namespace',
    cell: ({ metadata }: TableRow) => metadata.namespace,
    sortValue: ({ metadata }: TableRow) => metadata.namespace,
  }
  return [first, namespace, ...others]
}

function columnOf({ name, type }: TableColumn, index: number): Column<TableRow> {
  return {
    id: `${index} ${name}`,
    label: name,
    isNumber: type === 'integer' || type === 'number',
    cell: (row) => cell(name, row, index),
    sortValue: (row) => sortValue(name, row, index),
  }
}

/** The server's ages do not grow on the page, so ages are computed here. */
function cell(column: string, { cells, metadata }: TableRow, index: number): ReactNode {
  const value = cells[index]
  if (index === 0) return <strong>{textOf(value)}</strong>
  if (column === 'Age') return <TimeAgo time={metadata.creationTimestamp ?? ''} />
  const tone = cellTone(column, value)
  if (tone !== null) return <Badge tone={tone}>{textOf(value)}</Badge>
  return textOf(value)
}

/** Ages sort as ages, although the newest object has the latest time. */
function sortValue(column: string, { cells, metadata }: TableRow, index: number): SortValue {
  if (column === 'Age') return -Date.parse(metadata.creationTimestamp ?? '')
  const value = cells[index]
  return typeof value === 'number' ? value : textOf(value)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import { isObject, type UnknownObject } from '../../../typescript/src/http/json.ts'
import type { KubeMetadata } from './kube-object.ts'

/** The media type of lists as tables with the printer columns of the server. */
export const TABLE_TYPE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** A column that the server defines. */
export interface TableColumn {
  readonly name: string
  readonly type: string
  readonly description: string
  /** Above 0 for columns that only wide tables show. */
  readonly priority: number
}

/** A row: an object's metadata and its values in the columns. */
export interface TableRow {
  readonly metadata: KubeMetadata
  readonly cells: readonly unknown[]
}

/** Reads the columns of a Table. Later events of a watch have none. */
export function readColumns(table: unknown): readonly TableColumn[] {
  return objectsIn(table, 'columnDefinitions').map(({ name, type, description, priority }) => ({
    name: textOf(name),
    type: textOf(type),
    description: textOf(description),
    priority: typeof priority === 'number' ? priority : 0,
  }))
}

/** Reads the rows of a Table. Rows without the metadata of an object are left out. */
export function readRows(table: unknown): readonly TableRow[] {
  return objectsIn(table, 'rows').flatMap(({ cells, object }) => {
    const metadata = isObject(object) ? object['metadata'] : null
    if (!isMetadata(metadata)) return []
    return [{ metadata, cells: Array.isArray(cells) ? cells : [] }]
  })
}

function isMetadata(value: unknown): value is KubeMetadata {
  return isObject(value) && typeof value['name'] === 'string'
}

function objectsIn(table: unknown, field: string): readonly UnknownObject[] {
  const value = isObject(table) ? table[field] : null
  return Array.isArray(value) ? value.filter(isObject) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

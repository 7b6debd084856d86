import type { Column } from '../output/column.ts'
import type { Cell } from '../output/table.ts'
import { age } from '../output/age.ts'
import type { Resource } from '../targets/resource.ts'
import { adaptersBehind } from './adapters-behind.ts'
import { readinessOf } from './readiness-of.ts'

export interface RowContext {
  readonly now: Date
  /** The adapters that readiness waits for. */
  readonly required: readonly string[]
  /** The names of the parents by ID. */
  readonly parents: ReadonlyMap<string, string>
}

export interface ResourceColumn extends Column {
  readonly cell: (resource: Resource, context: RowContext) => Cell
}

const PARENT = (header: string): ResourceColumn => ({
  header,
  rank: 2,
  shrinksTo: 10,
  cell: ({ owner_references: owner }, { parents }) =>
    parents.get(owner?.id ?? '') ?? owner?.id ?? '-',
})

const NORMAL: readonly ResourceColumn[] = [
  { header: 'NAME', shrinksTo: 12, cell: ({ name }) => name },
  { header: 'READY', cell: readyCell },
  { header: 'GENERATION', rank: 4, cell: ({ generation }) => String(generation) },
  { header: 'BEHIND', rank: 1, shrinksTo: 12, cell: behindCell },
  { header: 'AGE', cell: ({ created_time: created }, { now }) => age(created, now) },
]

const WIDE: readonly ResourceColumn[] = [
  { header: 'REASON', rank: 3, shrinksTo: 12, cell: (one) => readinessOf(one)?.reason ?? '-' },
  { header: 'ID', rank: 5, cell: ({ id }) => id },
  { header: 'CREATED BY', rank: 7, shrinksTo: 12, cell: ({ created_by: by }) => by },
  { header: 'LABELS', rank: 6, shrinksTo: 12, cell: labelsCell },
]

interface Choice {
  readonly wide: boolean
  /** The heading of a column for the parent; null for root kinds and for a single parent. */
  readonly parent: string | null
}

/** The columns of a list of resources. */
export function resourceColumns({ wide, parent }: Choice): readonly ResourceColumn[] {
  const own = wide ? [...NORMAL, ...WIDE] : NORMAL
  return parent === null ? own : [PARENT(parent), ...own]
}

function readyCell(resource: Resource): Cell {
  if (resource.deleted_time !== undefined) return { text: 'Deleting', tone: 'warning' }
  const ready = readinessOf(resource)
  if (ready === null) return { text: '-', tone: 'quiet' }
  return { text: ready.status, tone: ready.status === 'True' ? 'good' : 'bad' }
}

/** The adapters that Ready waits for. */
function behindCell(resource: Resource, { required }: RowContext): Cell {
  const behind = adaptersBehind(resource, required)
  return behind.length === 0 ? { text: '-', tone: 'quiet' } : behind.join(',')
}

function labelsCell({ labels }: Resource): Cell {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  return texts.length === 0 ? { text: '<none>', tone: 'quiet' } : texts.join(',')
}

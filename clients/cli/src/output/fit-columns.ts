import type { Column } from './column.ts'

export interface FittedColumn {
  readonly index: number
  readonly width: number
}

interface Space {
  readonly width: number
  readonly gap: number
}

/** Chooses the columns of a table and their widths, so that its lines fit. */
export function fitColumns(
  columns: readonly Column[],
  natural: readonly number[],
  { width, gap }: Space,
): readonly FittedColumn[] {
  let kept = columns.map((column, index) => ({ column, index, width: natural[index] ?? 0 }))
  const tooWide = () => totalOf(kept, gap) - width
  const shrunk = (one: (typeof kept)[number]) =>
    Math.min(one.width, Math.max(one.column.shrinksTo ?? one.width, one.column.header.length))
  // Columns that always stay identify the row: they give way only if nothing else can.
  const leastOf = (one: (typeof kept)[number]) => (rankOf(one) === 0 ? one.width : shrunk(one))
  while (tooWide() > shrinkable(kept, leastOf)) {
    const dropped = kept.reduce((most, one) => (rankOf(one) > rankOf(most) ? one : most))
    if (rankOf(dropped) === 0) break
    kept = kept.filter((one) => one !== dropped)
  }
  // The widest column gives way first, so that short texts stay readable.
  for (let excess = tooWide(); excess > 0; excess -= 1) {
    const others = kept.filter((one) => one.width > leastOf(one))
    const candidates = others.length > 0 ? others : kept.filter((one) => one.width > shrunk(one))
    if (candidates.length === 0) break
    const widest = candidates.reduce((most, one) => (one.width > most.width ? one : most))
    kept = kept.map((one) => (one === widest ? { ...one, width: one.width - 1 } : one))
  }
  return kept.map(({ index, width: size }) => ({ index, width: size }))
}

const rankOf = ({ column }: { readonly column: Column }) => column.rank ?? 0

function totalOf(columns: readonly { readonly width: number }[], gap: number): number {
  return columns.reduce((sum, { width }) => sum + width + gap, -gap)
}

function shrinkable<T extends { readonly width: number }>(
  columns: readonly T[],
  leastOf: (column: T) => number,
): number {
  return columns.reduce((sum, column) => sum + column.width - leastOf(column), 0)
}

/** A label in the editor. `key` and `value` are as typed. */
export interface LabelRow {
  /** Identifies the row while its key changes. */
  readonly row: number
  readonly key: string
  readonly value: string
}

type Labels = Readonly<Record<string, string>>

/** Rows for existing labels. */
export function rowsOf(labels: Labels): readonly LabelRow[] {
  return Object.entries(labels).map(([key, value], row) => ({ row, key, value }))
}

/** The problem of a row; null if it is valid. Rows without key and value are ignored. */
export function rowProblem(
  { row, key, value }: LabelRow,
  rows: readonly LabelRow[],
): string | null {
  if (key === '') return value === '' ? null : 'Enter a key.'
  const isRepeated = rows.some((other) => other.row < row && other.key === key)
  return isRepeated ? `The key ${key} is used twice.` : null
}

/** The merge patch that turns the labels into those of the rows; null without a difference. */
export function labelPatch(
  labels: Labels,
  rows: readonly LabelRow[],
): Readonly<Record<string, string | null>> | null {
  const wanted = new Map(rows.filter(({ key }) => key !== '').map(({ key, value }) => [key, value]))
  const removed = Object.keys(labels).filter((key) => !wanted.has(key))
  const set = [...wanted].filter(
    ([key, value]) => !Object.hasOwn(labels, key) || labels[key] !== value,
  )
  const patch = [...removed.map((key) => [key, null] as const), ...set]
  return patch.length === 0 ? null : Object.fromEntries(patch)
}

/** A value of a row. Numbers precede texts, and rows without a value come last. */
export type SortValue = string | number | null | undefined

const collator = new Intl.Collator('en', { numeric: true })

/** Sorts rows by a value. Numbers inside of texts count as numbers: `feature-2` precedes `feature-10`. */
export function sortRows<T>(
  rows: readonly T[],
  value: (row: T) => SortValue,
  isDescending: boolean,
): readonly T[] {
  const sign = isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [left, right] = [value(one) ?? null, value(other) ?? null]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * compare(left, right)
  })
}

function compare(left: string | number, right: string | number): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === typeof right) return collator.compare(String(left), String(right))
  return typeof left === 'number' ? -1 : 1
}

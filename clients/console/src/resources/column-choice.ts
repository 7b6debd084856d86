interface ChoosableColumn {
  readonly id: string
  readonly isShownByDefault: boolean
}

/** The visible columns: those of the address, else the stored ones, else the default. */
export function visibleColumns<T extends ChoosableColumn>(
  columns: readonly T[],
  choice: string | undefined,
): readonly T[] {
  const wanted = new Set(choice?.split(','))
  const found = columns.filter(({ id }) => wanted.has(id))
  return found.length > 0 ? found : columns.filter(({ isShownByDefault }) => isShownByDefault)
}

/** The choice after a column was shown or hidden. At least one column stays. */
export function toggleColumn(
  columns: readonly ChoosableColumn[],
  choice: string | undefined,
  id: string,
): string {
  const shown = new Set(visibleColumns(columns, choice).map((column) => column.id))
  if (shown.has(id) && shown.size > 1) shown.delete(id)
  else shown.add(id)
  return columns
    .map((column) => column.id)
    .filter((one) => shown.has(one))
    .join(',')
}

interface Place {
  /** A row, or `HEAD` for the names of the columns. */
  readonly position: number
  readonly count: number
  /** The rows of a screen. */
  readonly page: number
}

/** The position above the first row. */
export const HEAD = -1

/** The position to which a key moves; null for keys that do not move. */
export function nextPosition(key: string, { position, count, page }: Place): number | null {
  if (position === 0 && key === 'ArrowUp') return HEAD
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: position + 1,
    j: position + 1,
    ArrowUp: position - 1,
    k: position - 1,
    PageDown: position + page,
    PageUp: position - page,
    Home: 0,
    End: count - 1,
  }
  const target = targets[key]
  return target === undefined ? null : Math.max(0, Math.min(count - 1, target))
}

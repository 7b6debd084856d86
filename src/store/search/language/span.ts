/** A half-open range of UTF-16 units in the search text as the user sent it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The span alone. */
export function spanOf({ start, end }: Span): Span {
  return { start, end }
}

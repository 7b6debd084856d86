/** A half-open range of UTF-16 units in the search text as the user sent it. */
export interface Span {
  readonly start: number
  readonly end: number
}

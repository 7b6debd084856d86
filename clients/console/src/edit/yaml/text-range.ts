/** A range of characters in a text. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

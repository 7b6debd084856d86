/** A column of a table. */
export interface Column {
  readonly header: string
  /**
   * Which columns a narrow terminal loses first: those with the highest number. Columns with 0 always
   * stay.
   */
  readonly rank?: number | undefined
  /**
   * The number of columns to which a long text may be shortened. Without it, texts stay whole. Columns
   * that always stay are shortened last.
   */
  readonly shrinksTo?: number | undefined
}

import type { FieldPath } from '../../lib/json/field-path.ts'

/** A problem of one kind in a list. */
export interface KindProblem {
  /** The index of the kind in the list. */
  readonly index: number
  /** The field of `Kind` that must change. */
  readonly member: FieldPath
  /** The rest of a sentence that begins with the field. */
  readonly text: string
}

/** A problem without the index of its kind. */
export type MemberProblem = Omit<KindProblem, 'index'>

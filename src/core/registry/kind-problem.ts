import type { FieldPath } from '../../lib/json/field-path.ts'

/** What is wrong with one kind of a list. */
export interface KindProblem {
  /** Its place in the list. */
  readonly index: number
  /** The member of `Kind` that is to be changed. */
  readonly member: FieldPath
  /** The rest of a sentence that begins with the member. */
  readonly text: string
}

/** A problem before it is known which kind of the list has it. */
export type MemberProblem = Omit<KindProblem, 'index'>

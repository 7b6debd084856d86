/**
 * The reaction to a problem.
 *
 * - `ask`: repeat the step; its calls have the same IDs.
 * - `retry`: undo the attempt, and try again after a pause.
 * - `fail`: as retry, but a repetition without a change is not expected to help.
 * - `unresolved`: repeat the step after a pause or a change; no driver was called.
 */
export type ProblemAction = 'ask' | 'retry' | 'fail' | 'unresolved'

interface Details {
  readonly message: string
  readonly action: ProblemAction
  readonly cause?: unknown
}

/** Keeps a step from completing. */
export class OperationProblem extends Error {
  override readonly name = 'OperationProblem'
  /** The reason of a condition. */
  readonly reason: string
  readonly action: ProblemAction

  constructor(reason: string, { message, action, cause }: Details) {
    super(message, { cause })
    this.reason = reason
    this.action = action
  }
}

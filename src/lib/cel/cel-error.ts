/** A failed evaluation, such as a missing key. `||`, `&&` and loops can absorb it. */
export class CelError extends Error {
  override readonly name = 'CelError'
}

/** The evaluation takes too many steps. Nothing absorbs it. */
export class StepLimitError extends Error {
  override readonly name = 'StepLimitError'
}

/** The text is not a valid expression. */
export class CelSyntaxError extends Error {
  override readonly name = 'CelSyntaxError'
}

/** The reason why a move cannot continue, for the operator. */
export class MoveError extends Error {
  override readonly name: string = 'MoveError'
}

/** The error of an attempt to move a tenant after a newer one has begun. */
export function supersededAttempt(cause?: unknown): MoveError {
  return new MoveError('another process has continued or aborted the move', { cause })
}

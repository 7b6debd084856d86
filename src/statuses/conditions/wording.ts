interface Worded {
  readonly reason?: string
  readonly message?: string
}

/** The reason and message of a condition, where it has them, and nothing else. */
export function wording({ reason, message }: Worded): Worded {
  if (reason === undefined) return message === undefined ? {} : { message }
  return message === undefined ? { reason } : { reason, message }
}

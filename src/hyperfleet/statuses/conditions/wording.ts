interface Worded {
  readonly reason?: string
  readonly message?: string
}

/** Only the reason and the message of a condition, if it has them. */
export function wording({ reason, message }: Worded): Worded {
  if (reason === undefined) return message === undefined ? {} : { message }
  return message === undefined ? { reason } : { reason, message }
}

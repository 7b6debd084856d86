interface Worded {
  readonly reason?: string
  readonly message?: string
}

/** The reason and message of a condition, where it has them, and nothing else. */
export function wording({ reason, message }: Worded): Worded {
  return { ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) }
}

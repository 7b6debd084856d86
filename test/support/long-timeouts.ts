/** Settings of test servers: on a busy machine, waits for the database take seconds. */
export const LONG_TIMEOUTS = {
  // Waits for connections and for other searches are half as long.
  STATEMENT_TIMEOUT_MS: '120000',
} as const

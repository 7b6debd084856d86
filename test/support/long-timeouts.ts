/** Settings of test servers: on a busy machine, waits for the database take seconds. */
export const LONG_TIMEOUTS = {
  DATABASE_CONNECT_TIMEOUT_MS: '60000',
  STATEMENT_TIMEOUT_MS: '60000',
  SEARCH_WAIT_MS: '60000',
  SHARD_RESPONSE_TIMEOUT_MS: '180000',
} as const

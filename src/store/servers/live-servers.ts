/**
 * SQL: the time of the last heartbeat from which a server counts as live. A server sends one every 3 s.
 */
export const LIVE_SERVERS_SINCE = "clock_timestamp() - interval '15 seconds'"

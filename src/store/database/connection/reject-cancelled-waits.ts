import type pg from 'pg'

/** The function of PostgreSQL that warns of it. Messages are translated, and the code is generic. */
const ROUTINE = 'SyncRepWaitForLSN'

/**
 * Makes a commit fail if its wait for a synchronous standby was cancelled. PostgreSQL reports success
 * with a warning, but the commit may not survive a failover.
 */
export function rejectCancelledWaits(client: pg.PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine !== ROUTINE) return
    // Ends the statement before its success is read. Connection errors mean an unknown outcome.
    client.connection.emit('error', new Error('Connection terminated: a commit was not replicated'))
    client.connection.stream.destroy()
  })
}

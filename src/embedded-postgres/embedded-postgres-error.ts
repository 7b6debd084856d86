/** Why the embedded PostgreSQL cannot run; the message tells the user what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

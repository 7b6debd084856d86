/** The embedded PostgreSQL cannot run; the message states the remedy. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

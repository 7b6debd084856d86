/** The server cannot start on its database. The message states the reason and the remedy. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
}

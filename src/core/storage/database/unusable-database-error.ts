/** A database that the server cannot start on; the message says why. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
}

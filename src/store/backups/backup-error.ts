/** A backup cannot be made or restored. The message states the reason and the remedy. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** A setting whose value turned out to be of no use; the message names it and says what to do. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

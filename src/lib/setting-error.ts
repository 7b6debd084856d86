/** A setting has an unusable value. The message names the setting and the remedy. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

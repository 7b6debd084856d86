/** The settings are invalid; the message lists every problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Throws an error that lists the problems, if there are any. */
export function throwIfInvalid(problems: readonly string[]): void {
  if (problems.length === 0) return
  throw new ConfigError(`invalid settings:\n${problems.map((line) => `  - ${line}`).join('\n')}`)
}

/** The file of FLOTILLA_CONFIG is invalid; the message lists every problem with its line. */
export class KindsFileError extends Error {
  override readonly name = 'KindsFileError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`FLOTILLA_CONFIG names an invalid file:\n${problems.join('\n')}`)
    this.problems = problems
  }
}

/** A configuration file that cannot be used; every problem is listed, with its place in the file. */
export class EntitiesError extends Error {
  override readonly name = 'EntitiesError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`FLOTILLA_CONFIG names a file that cannot be used:\n${problems.join('\n')}`)
    this.problems = problems
  }
}

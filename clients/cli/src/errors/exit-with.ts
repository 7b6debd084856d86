/** Ends the command with the exit code of a program that it has run. */
export class ExitWith extends Error {
  override readonly name = 'ExitWith'
  readonly code: number

  constructor(code: number) {
    super(`exit code ${code}`)
    this.code = code
  }
}

/** The standard input of the command. */
export interface Input {
  /** Whether a person types it, rather than a pipe or a file. */
  readonly isTty: boolean
  /** Reads everything that it contains. */
  readonly read: () => Promise<string>
}

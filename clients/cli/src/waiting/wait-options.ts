/** The options of a command that waits for its effect. */
export interface WaitOptions {
  readonly wait: boolean
  /** Milliseconds. */
  readonly timeout: number
}

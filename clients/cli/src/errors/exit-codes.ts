/** The exit codes of the command. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notFound: 3,
  timedOut: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

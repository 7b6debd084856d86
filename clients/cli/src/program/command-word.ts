/** Global options whose value is a separate argument. */
const WITH_VALUE = ['--context', '--server', '--token', '--ca-file', '--request-timeout']

/** The position of the command's name among the arguments, or -1. */
export function commandWord(args: readonly string[]): number {
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? ''
    if (WITH_VALUE.includes(word)) index += 1
    else if (!word.startsWith('-')) return index
  }
  return -1
}

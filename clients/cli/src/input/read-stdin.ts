import { text } from 'node:stream/consumers'

/** Everything that the standard input contains. */
export function readStdin(): Promise<string> {
  return text(process.stdin)
}

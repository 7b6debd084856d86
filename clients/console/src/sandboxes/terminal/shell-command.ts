import { isObject } from '../../../../typescript/src/http/json.ts'

/**
 * Runs a line in a directory, and writes the directory after it to the standard error, so that the
 * next line can continue there. Each line is a separate process: variables are not kept.
 */
const SCRIPT = [
  `cd -- "$1" 2>/dev/null`,
  `trap 'code=$?; printf "\\036%s\\036%s\\036" "$3" "$PWD" >&2; exit $code' EXIT`,
  `eval "$2"`,
].join('\n')

interface ShellLine {
  readonly line: string
  /** Empty for the working directory of the workload. */
  readonly directory: string
  /** Random, so that no output is mistaken for the directory. */
  readonly marker: string
}

/** The command of an exec request that runs a line of a shell. */
export function shellCommand({ line, directory, marker }: ShellLine): readonly string[] {
  return ['/bin/sh', '-c', SCRIPT, 'sh', directory === '' ? '.' : directory, line, marker]
}

/** Removes the directory from the standard error of a line. */
export function readDirectory(
  output: string,
  marker: string,
): { readonly text: string; readonly directory: string | null } {
  const start = output.indexOf(`\u001E${marker}\u001E`)
  if (start < 0) return { text: output, directory: null }
  const rest = output.slice(start + marker.length + 2)
  const end = rest.indexOf('\u001E')
  if (end < 0) return { text: output.slice(0, start), directory: null }
  return { text: output.slice(0, start) + rest.slice(end + 1), directory: rest.slice(0, end) }
}

/** A line of the response to exec. */
export type ExecOutput =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly data: Uint8Array }
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'error'; readonly message: string }

/** Reads a line of the response to exec; null for a line of another form. */
export function readExecOutput(line: unknown): ExecOutput | null {
  if (!isObject(line)) return null
  const { stream, data, exitCode, error } = line
  if ((stream === 'stdout' || stream === 'stderr') && typeof data === 'string') {
    return { type: 'output', stream, data: bytesOf(data) }
  }
  if (typeof exitCode === 'number') return { type: 'exit', code: exitCode }
  if (!isObject(error)) return null
  const { message } = error
  return { type: 'error', message: typeof message === 'string' ? message : 'the program failed' }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

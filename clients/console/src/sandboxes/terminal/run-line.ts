import { client } from '../../session/connection.ts'
import { sandboxPath, type SandboxTarget } from '../sandbox-requests.ts'
import { readDirectory, readExecOutput, shellCommand } from './shell-command.ts'

interface LineRun {
  readonly line: string
  readonly directory: string
  readonly onText: (text: string) => void
  readonly signal: AbortSignal
}

interface LineResult {
  readonly code: number
  /** The directory after the line; null if the shell ended without reporting it. */
  readonly directory: string | null
}

/** Runs a line of a shell in a sandbox and delivers its output as it arrives. */
export async function runLine(
  target: SandboxTarget,
  { line, directory, onText, signal }: LineRun,
): Promise<LineResult> {
  const marker = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const body = { command: shellCommand({ line, directory, marker }) }
  const path = sandboxPath(target, 'exec')
  const request = { method: 'POST', path, body, signal, retry: 'rejected' } as const
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  let held = ''
  for await (const wire of client.lines(request)) {
    const output = readExecOutput(wire)
    if (output === null) continue
    if (output.type === 'error') throw new Error(output.message)
    if (output.type === 'exit') {
      const end = readDirectory(held, marker)
      onText(end.text)
      return { code: output.code, directory: end.directory }
    }
    const text = decoders[output.stream].decode(output.data, { stream: true })
    if (output.stream === 'stdout') {
      onText(text)
      continue
    }
    // The directory begins with a separator and ends the standard error.
    held += text
    const start = held.indexOf('\u001E')
    onText(start < 0 ? held : held.slice(0, start))
    held = start < 0 ? '' : held.slice(start)
  }
  throw new Error('The connection broke before the program ended, so its result is unknown.')
}

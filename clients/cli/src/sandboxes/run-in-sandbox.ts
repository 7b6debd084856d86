import { isJsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import { ExitWith } from '../errors/exit-with.ts'
import type { Session } from '../session/session.ts'
import { type SandboxPlace, sandboxNamed, sandboxPath } from './sandbox-path.ts'

/** The options of `flotilla sandbox exec`. */
export interface ExecOptions extends SandboxPlace {
  readonly stdin?: boolean | undefined
  readonly workdir?: string | undefined
  /** Milliseconds. */
  readonly timeout?: number | undefined
}

/** Runs a program beside the workload of a sandbox, with its output and its exit code. */
export async function runInSandbox(
  session: Session,
  { name, command }: { readonly name: string; readonly command: readonly string[] },
  options: ExecOptions,
): Promise<void> {
  const sandbox = sandboxNamed(name, options)
  const { stdin, workdir, timeout } = options
  const body = {
    command,
    stdin: stdin === true ? await session.stdin.read() : undefined,
    workingDir: workdir,
    timeoutSeconds: timeout === undefined ? undefined : Math.ceil(timeout / 1000),
  }
  const path = sandboxPath(sandbox, sandbox.name, 'exec')
  const { client, signal } = session
  const outputs = client.lines({ method: 'POST', path, body, signal, retry: 'rejected' })
  for await (const line of outputs) {
    if (!isJsonObject(line)) continue
    const { stream, data, exitCode, error } = line
    if (typeof data === 'string') write(stream === 'stderr' ? process.stderr : process.stdout, data)
    if (isJsonObject(error)) throw new CliError(String(error['message']))
    if (exitCode === 0) return
    if (typeof exitCode === 'number') throw new ExitWith(exitCode)
  }
  throw lostConnection(name)
}

/** Output may be binary, so it is not decoded. */
function write(stream: NodeJS.WriteStream, data: string): void {
  stream.write(Buffer.from(data, 'base64'))
}

function lostConnection(name: string): Error {
  return new CliError(`the connection to sandbox/${name} broke before the program ended`, {
    hint: 'The result is unknown: the program may have run.',
  })
}

import { runCommand } from './program/run-command.ts'
import { processRuntime } from './session/process-runtime.ts'

/** Runs the command as a process, with its arguments. Returns the exit code. */
export async function main(args: readonly string[], version: string): Promise<number> {
  const code = await runCommand(args, version, processRuntime())
  await Promise.all([process.stdout, process.stderr].map(flushed))
  return code
}

/** Resolves when everything that was written has left the process. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}

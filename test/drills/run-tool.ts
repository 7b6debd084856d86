import { execFile } from 'node:child_process'
import { Skipped } from './drill.ts'

interface Options {
  readonly cwd: string
  readonly timeoutMs: number
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a program and returns all its output. Rejects with the end of the output if it fails. */
export function runTool(
  program: string,
  args: readonly string[],
  { cwd, timeoutMs, env = {} }: Options,
): Promise<string> {
  const options = { cwd, timeout: timeoutMs, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const output = stdout + stderr
      if (error === null) resolve(output)
      else reject(new Error(`${error.message.slice(0, 300)}\n${output.slice(-4000)}`))
    })
  })
}

/** Runs a program that may need the network. A failure skips the case. */
export async function installTool(
  program: string,
  args: readonly string[],
  options: Options,
): Promise<void> {
  await runTool(program, args, options).catch((cause: unknown) => {
    throw new Skipped(`${program} ${args.join(' ')} failed: ${String(cause)}`, { cause })
  })
}

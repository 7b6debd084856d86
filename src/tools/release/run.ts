import { execFile } from 'node:child_process'

const MAX_OUTPUT = 2 ** 26

/** Runs a program and returns its standard output. Rejects with the end of all output if it fails. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT }
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else {
        const output = `${stdout}${stderr}`.slice(-4000)
        reject(new Error(`${program} ${args.join(' ')} failed:\n${output}`, { cause: error }))
      }
    })
  })
}

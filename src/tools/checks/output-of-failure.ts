import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Runs a program of node_modules/.bin in the root of the project. Returns its complete output if it
 * fails, else null.
 */
export function outputOfFailure(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string | null> {
  const file = path.join(root, 'node_modules/.bin', program)
  const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      resolve(error === null ? null : stdout + stderr || error.message)
    })
  })
}

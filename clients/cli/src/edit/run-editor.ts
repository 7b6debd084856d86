import { spawn } from 'node:child_process'
import { CliError } from '../errors/cli-error.ts'

const DEFAULT_EDITOR = 'vi'

/** Opens a file in the user's editor and waits until the editor ends. */
export async function runEditor(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const editor = [env['VISUAL'], env['EDITOR']].find((one) => (one ?? '').trim() !== '')
  // The variables may contain options, such as `code --wait`.
  const child = spawn('sh', ['-c', `${editor ?? DEFAULT_EDITOR} "$0"`, file], {
    stdio: 'inherit',
    env,
  })
  const problem = await new Promise<string | null>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? null : `it ended with ${signal ?? code}`),
    )
  })
  if (problem === null) return
  throw new CliError(`the editor '${editor ?? DEFAULT_EDITOR}' failed: ${problem}`, {
    hint: 'Set VISUAL or EDITOR to the command of your editor.',
  })
}

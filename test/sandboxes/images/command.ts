import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { serverProgram } from '../../support/server-program.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

interface Result {
  readonly code: number
  readonly output: string
}

/** Runs `flotilla sandbox images` on the directory of a runtime, as its user. */
export function imagesCommand(
  { directory, user }: { readonly directory: string; readonly user?: number | undefined },
  ...words: readonly string[]
): Promise<Result> {
  const account =
    user === undefined
      ? []
      : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
  const [program = '', ...parameters] = [
    ...account,
    process.execPath,
    ...serverProgram(),
    'sandbox',
    'images',
    ...words,
  ]
  const env = { ...process.env, SANDBOXD_DIR: directory }
  return new Promise((resolve) => {
    execFile(program, parameters, { cwd: ROOT, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1)
      resolve({ code, output: `${stdout}${stderr}` })
    })
  })
}

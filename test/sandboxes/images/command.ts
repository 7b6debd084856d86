import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { serverProgram } from '../../support/server-program.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

interface Result {
  /** Null if a signal has ended the process. */
  readonly code: number | null
  readonly output: string
}

interface Runtime {
  readonly directory: string
  /** Runs it as this user. */
  readonly user?: number | undefined
}

/** Runs `flotilla sandbox images` on the directory of a runtime, as its user. */
export function imagesCommand(runtime: Runtime, ...words: readonly string[]): Promise<Result> {
  return startImagesCommand(runtime, ...words).ended
}

/** Starts the command, which a test may kill. */
export function startImagesCommand(
  { directory, user }: Runtime,
  ...words: readonly string[]
): { readonly child: ChildProcess; readonly ended: Promise<Result> } {
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
  const env = { ...process.env, SANDBOXD: `dir=${directory}` }
  const child = spawn(program, parameters, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, ended: resultOf(child) }
}

async function resultOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Result> {
  const ended = once(child, 'close')
  const texts = [child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray())
  const output = (await Promise.all(texts)).flat().join('')
  await ended
  return { code: child.exitCode, output }
}

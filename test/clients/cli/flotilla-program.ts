import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Scripts without types. */
const TARGETS = new URL('../../../src/tools/targets.mjs', import.meta.url)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv
  /** The content of standard input. */
  readonly input?: string
}

interface Result {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** The command as a program, built to a temporary folder, with its own configuration. */
export interface FlotillaProgram extends AsyncDisposable {
  /** The folder with the program `flotilla`, for a PATH. */
  readonly folder: string
  /** The variables that the command reads. */
  readonly env: NodeJS.ProcessEnv
  /** Runs the command without a terminal. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Result>
}

/** Builds the program for the tests of a file. `origin` is the URL of its server. */
export async function buildFlotillaProgram(origin: string): Promise<FlotillaProgram> {
  // Inside the project, so that the packages outside the bundle are found.
  const folder = await mkdtemp(path.join(ROOT, 'clients/cli/dist.test-'))
  const { COMMAND } = await import(TARGETS.href)
  await COMMAND.build(path.join(folder, 'dist'))
  const entry = path.join(folder, 'flotilla')
  const program = `#!${process.execPath}
import('${path.join(folder, 'dist/main.js')}')
  .then(({ main }) => main(process.argv.slice(2), '1.2.3'))
  .then((code) => process.exit(code))
`
  await writeFile(entry, program, { mode: 0o755 })
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    PATH,
    HOME,
    TMPDIR,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    FLOTILLA_SERVER: origin,
  }
  return {
    folder,
    env,
    run: (args, options = {}) =>
      runProgram(entry, args, { ...options, env: { ...env, ...options.env } }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

function runProgram(
  entry: string,
  args: readonly string[],
  { env, input = '' }: RunOptions,
): Promise<Result> {
  const child = spawn(entry, args, { env, stdio: 'pipe' })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return new Promise<Result>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out, err }))
  })
}

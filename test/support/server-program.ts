import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errorMessage } from '../../src/lib/error-message.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILD = "import { buildIfStale } from './src/tools/build-dist.mjs'; await buildIfStale()"
/** Set if the build is current. Workers and their child processes inherit it. */
const VARIABLE = 'FLOTILLA_TEST_COMPILED'

/** Builds the server. If the sources do not compile, tests run them through tsx. */
export async function compileServerProgram(): Promise<void> {
  try {
    const args = ['--input-type=module', '--eval', BUILD]
    await promisify(execFile)(process.execPath, args, { cwd: ROOT })
    process.env[VARIABLE] = 'true'
  } catch (error) {
    delete process.env[VARIABLE]
    console.warn(`The server does not compile, tests start it through tsx: ${errorMessage(error)}`)
  }
}

/** Whether this process or the drill that started it has built the server. */
export function isServerCompiled(): boolean {
  return process.env[VARIABLE] === 'true'
}

/** The arguments of Node that run the server, relative to the root of the repository. */
export function serverProgram(): readonly string[] {
  if (process.env['FLOTILLA_TEST_PROJECT'] === 'unit') {
    throw new Error('unit tests have no server: move the file to a folder of test/')
  }
  if (isServerCompiled()) return ['dist/cmd/server.js']
  return ['--import', 'tsx', 'src/cmd/server.ts']
}

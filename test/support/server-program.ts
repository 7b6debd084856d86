import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errorMessage } from '../../src/lib/error-message.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILD = "import { buildIfStale } from './src/tools/build-dist.mjs'; await buildIfStale()"
/** Set if `dist/` is current. Workers and their child processes inherit it. */
const VARIABLE = 'FLOTILLA_TEST_COMPILED'

/**
 * Compiles the server, so that tests start processes in a third of the time that tsx takes. If the
 * sources do not compile, the tests run them through tsx.
 */
export async function compileServerProgram(): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: ROOT })
    process.env[VARIABLE] = 'true'
  } catch (error) {
    delete process.env[VARIABLE]
    console.warn(`The server does not compile, tests start it through tsx: ${errorMessage(error)}`)
  }
}

/** The arguments of Node that run the server, relative to the root of the repository. */
export function serverProgram(): readonly string[] {
  if (process.env[VARIABLE] === 'true') return ['dist/cmd/server.js']
  return ['--import', 'tsx', 'src/cmd/server.ts']
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errorMessage } from '../../src/lib/error-message.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILD = 'test/support/bundle-server.mjs'
const BUNDLE = 'dist.test/server.mjs'
/** Set if the bundle is current. Workers and their child processes inherit it. */
const VARIABLE = 'FLOTILLA_TEST_COMPILED'

/**
 * Compiles the server and bundles it into a few modules: it has 2000, and starts in a third of the
 * time without them. If the sources do not compile, tests run them through tsx.
 */
export async function compileServerProgram(): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [BUILD], { cwd: ROOT })
    process.env[VARIABLE] = 'true'
  } catch (error) {
    delete process.env[VARIABLE]
    console.warn(`The server does not compile, tests start it through tsx: ${errorMessage(error)}`)
  }
}

/** The arguments of Node that run the server, relative to the root of the repository. */
export function serverProgram(): readonly string[] {
  if (process.env['FLOTILLA_TEST_PROJECT'] === 'unit') {
    throw new Error('unit tests have no server: move the file to a folder of test/')
  }
  if (process.env[VARIABLE] === 'true') return [BUNDLE]
  return ['--import', 'tsx', 'src/cmd/server.ts']
}

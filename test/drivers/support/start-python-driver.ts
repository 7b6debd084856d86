import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatePythonCode } from './generate-python-code.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const DRIVER = path.join(ROOT, 'test/drivers/python/copy_driver.py')

/** A running driver in Python. */
export interface PythonDriver extends AsyncDisposable {
  readonly endpoint: string
  /** The directory of its snapshots. */
  readonly store: string
}

/** Starts the driver that implements three calls. Its code is generated from the protocol. */
export async function startPythonDriver(python: string, directory: string): Promise<PythonDriver> {
  const store = path.join(directory, 'python-store')
  const socket = path.join(directory, 'python.sock')
  const generated = await generatePythonCode(python, directory)
  const child = spawn(python, [DRIVER, socket, store], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PYTHONPATH: generated,
      PYTHONDONTWRITEBYTECODE: '1',
      GRPC_VERBOSITY: 'ERROR',
    },
  })
  const exited = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(([code]) => {
      throw new Error(`the Python driver exited with ${code} before it was ready`)
    }),
  ])
  return {
    endpoint: `unix:${socket}`,
    store,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

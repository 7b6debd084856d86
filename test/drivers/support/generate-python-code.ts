import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './python-environment.ts'

const PROTO = fileURLToPath(new URL('../../../src/sandboxes/drivers/proto', import.meta.url))

/** Generates Python code from the protocol in a folder of the directory, and returns the folder. */
export async function generatePythonCode(python: string, directory: string): Promise<string> {
  const generated = path.join(directory, 'generated')
  await mkdir(generated)
  const outputs = [`--python_out=${generated}`, `--grpc_python_out=${generated}`]
  const protoc = ['-m', 'grpc_tools.protoc', `-I${PROTO}`]
  await run(python, [...protoc, ...outputs, 'snapshot_driver.proto'])
  return generated
}

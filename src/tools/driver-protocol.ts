import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputOfFailure } from './output-of-failure.ts'

const FOLDER = 'src/sandboxes/drivers/proto'
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The TypeScript code of the protocol of sandbox drivers, by path. Needs no network. */
export async function driverProtocol(): Promise<readonly (readonly [string, string])[]> {
  const output = await mkdtemp(path.join(os.tmpdir(), 'flotilla-proto-'))
  try {
    const plugin = {
      local: path.join(ROOT, 'node_modules/.bin/protoc-gen-es'),
      out: output,
      opt: ['target=ts'],
    }
    const template = JSON.stringify({ version: 'v2', plugins: [plugin] })
    const failure = await outputOfFailure('buf', ['generate', FOLDER, '--template', template])
    if (failure !== null) throw new Error(`buf could not generate code from ${FOLDER}: ${failure}`)
    const name = 'snapshot_driver_pb.ts'
    return [[`${FOLDER}/${name}`, await readFile(path.join(output, name), 'utf8')]]
  } finally {
    await rm(output, { recursive: true })
  }
}

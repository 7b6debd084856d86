import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Linux limits the path of a Unix socket to 107 bytes. */
const MAX_PATH = 107

/** The socket of a runtime. It is in the temporary directory if the path would be too long. */
export function socketPath(stateDirectory: string): string {
  const usual = path.join(stateDirectory, 'sandboxd.sock')
  if (Buffer.byteLength(usual) <= MAX_PATH) return usual
  const name = createHash('sha256').update(stateDirectory).digest('hex').slice(0, 16)
  return path.join(os.tmpdir(), `flotilla-sandboxd-${name}`, 'sandboxd.sock')
}

/** Creates the private directory of the socket. */
export async function makeSocketDirectory(stateDirectory: string): Promise<void> {
  const directory = path.dirname(socketPath(stateDirectory))
  if (directory !== stateDirectory) await mkdir(directory, { recursive: true, mode: 0o700 })
}

import { open, rename, stat, truncate } from 'node:fs/promises'
import type { InstancePaths } from '../sandbox-layout.ts'

/** Size at which the output of an instance is truncated. Its last half is kept. */
export const MAX_LOG_BYTES = 16 * 1024 * 1024

/** Moves the output aside when it is too large. The workload appends to the same file. */
export async function limitLog(paths: InstancePaths): Promise<void> {
  const status = await stat(paths.output).catch(() => null)
  if (status === null || status.size <= MAX_LOG_BYTES) return
  const kept = Buffer.alloc(MAX_LOG_BYTES / 2)
  const output = await open(paths.output, 'r')
  try {
    // A workload can give its output any size, also one that no position reaches.
    const size = Math.min(status.size, Number.MAX_SAFE_INTEGER)
    await output.read(kept, 0, kept.length, size - kept.length)
  } finally {
    await output.close()
  }
  const partial = `${paths.olderOutput}.partial`
  const older = await open(partial, 'w', 0o600)
  try {
    await older.writeFile(kept)
  } finally {
    await older.close()
  }
  await rename(partial, paths.olderOutput)
  await truncate(paths.output)
}
